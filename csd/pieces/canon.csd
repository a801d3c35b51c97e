<CsoundSynthesizer>
<CsInstruments>
; Canon: a score as scores once were. A theme in canon at the fifth over a ground, with macros,
; carried and ramped fields, loops, a tempo that slows down, and two sections; the instruments are
; in a file beside this one.
;   csound csd/pieces/canon.csd -odac

sr = 48000
ksmps = 10
nchnls = 2
0dbfs = 1

seed 5

#define VOLUME # 1.9 #
#define NAME(WHERE) #ga_$WHERE#

ga_left init 0
ga_right init 0

#include "keyboards.inc"
</CsInstruments>
<CsScore>
t 0 96  24 96  30 84

; Two bars of theme. INSTRUMENT, beat, octave, dBFS, place
#define THEME(INS'AT'OCT'DB'PLACE) #
i $INS [$AT + 0]    1    $DB  $OCT..02 $PLACE
i .    [$AT + 1]    0.5  .    $OCT..05 .
i .    [$AT + 1.5]  0.5  .    $OCT..07 .
i .    [$AT + 2]    1.5  .    $OCT..09 .
i .    [$AT + 3.5]  0.25 .    $OCT..10 .
i .    [$AT + 3.75] 0.25 .    $OCT..09 .
i .    [$AT + 4]    0.5  .    $OCT..07 .
i .    [$AT + 4.5]  0.5  .    $OCT..05 .
i .    [$AT + 5]    0.5  .    $OCT..04 .
i .    [$AT + 5.5]  0.5  .    $OCT..07 .
i .    [$AT + 6]    0.5  .    $OCT..05 .
i .    [$AT + 6.5]  0.5  .    $OCT..04 .
i .    [$AT + 7]    1    .    $OCT..02 .
#

; The same a fifth higher.
#define ANSWER(INS'AT'OCT'HIGHER'DB'PLACE) #
i $INS [$AT + 0]    1    $DB  $OCT..09 $PLACE
i .    [$AT + 1]    0.5  .    $HIGHER..00 .
i .    [$AT + 1.5]  0.5  .    $HIGHER..02 .
i .    [$AT + 2]    1.5  .    $HIGHER..04 .
i .    [$AT + 3.5]  0.25 .    $HIGHER..05 .
i .    [$AT + 3.75] 0.25 .    $HIGHER..04 .
i .    [$AT + 4]    0.5  .    $HIGHER..02 .
i .    [$AT + 4.5]  0.5  .    $HIGHER..00 .
i .    [$AT + 5]    0.5  .    $OCT..11 .
i .    [$AT + 5.5]  0.5  .    $HIGHER..02 .
i .    [$AT + 6]    0.5  .    $HIGHER..00 .
i .    [$AT + 6.5]  0.5  .    $OCT..11 .
i .    [$AT + 7]    1    .    $OCT..09 .
#

c the ground: four notes on the organ, a bar each, as often as the loop says
{ 4 BAR
i 3 [$BAR * 8]     3.9 -22 6.02 0.5
i 3 [$BAR * 8 + 4] 1.9 .   5.09 .
i 3 [$BAR * 8 + 6] 1.9 .   5.11 .
}

$THEME(1'0'8'-15'0.35)
$ANSWER(2'8'8'9'-17'0.65)
$THEME(1'8'7'-17'0.3)
$THEME(1'16'8'-15'0.35)
$ANSWER(2'18'8'9'-18'0.7)
$THEME(2'20'7'-18'0.5)
$THEME(1'24'9'-19'0.4)
$ANSWER(1'24'7'8'-18'0.6)

/* a scale that gets softer and wanders over the stage: ramps */
i 2 30    0.25 -18 10.02 0.1
i . +     .    <   10.00 <
i . +     .    <   9.10  <
i . +     .    <   9.09  <
i . +     .    <   9.07  <
i . +     .    <   9.05  <
i . +     .    <   9.04  <
i . +     .    -28 9.02  0.9

i 99 0 34
s

; The end, slow, in its own section: a chord built up by beats of p2 that follow each other.
t 0 60
i 3  0   7   -23 5.02 0.5
i 1  0   6.5 -17 7.02 0.2
i 1  0.3 6.2 .   7.09 0.4
i 1  0.6 5.9 .   8.02 0.6
i 1  0.9 5.6 .   8.06 0.8
i 2  2   4   -20 9.02 0.3
i 2  2.5 4   -21 9.09 0.7
i 2  3   4   -22 10.06 0.5
i 99 0   10
e
</CsScore>
</CsoundSynthesizer>
