<CsoundSynthesizer>
<CsInstruments>
; Plucked strings and their echoes, the panel in CsoundQt's words.
;   ./opcodekit play csd/panels/echoes.csd --panel

sr = 48000
ksmps = 32
nchnls = 2
0dbfs = 1

gaplucks init 0
gilength ftgen 0, 0, -4, -2, 0, 0.8, 2, 5

instr 1
  kpattern invalue "pattern"
  kstrokes table kpattern, gilength
  if kpattern > 0 && metro(kstrokes) == 1 then
    knote = 45 + 12 * int(random:k(0, 2)) + 7 * int(random:k(0, 2)) + 3 * int(random:k(0, 2))
    event "i", 2, 0, 2, knote
    outvalue "said", sprintfk("note %d", knote)
  endif
endin

instr 2
  ipick chnget "pick"
  asound pluck 0.5, cpsmidinn(p4), cpsmidinn(p4), 0, 1
  gaplucks += asound * linsegr(1, p3, 0, 0.05, 0) * (0.3 + 0.7 * ipick)
endin

instr 10
  ktime invalue "time"
  kfeedback invalue "feedback"
  kwidth invalue "width"
  ktone invalue "tone"
  kfreeze invalue "freeze"
  aback init 0
  ktime port ktime, 0.2, 0.33
  kgain = kfreeze == 1 ? 1 : kfeedback
  ain = gaplucks * (1 - kfreeze)
  aecho VDELAY ain + aback * kgain, a(ktime * 1000), 2000
  aback BUTTERLP aecho, port:k(kfreeze == 1 ? 18000 : ktone, 0.05, 2500)
  aleft = gaplucks + aecho * (1 - 0.5 * kwidth)
  aright = gaplucks + aback * (0.5 + 0.5 * kwidth)
  out aleft * 0.7, aright * 0.7
  klevel max_k aleft, metro(20), 1
  outvalue "level", portk(klevel, 0.1)
  gaplucks = 0
endin
</CsInstruments>
<CsScore>
i 1 0 z
i 10 0 z
</CsScore>
</CsoundSynthesizer>
<bsbPanel>
 <label>Widgets</label>
 <objectName/>
 <x>100</x>
 <y>100</y>
 <width>390</width>
 <height>280</height>
 <visible>true</visible>
 <uuid/>
 <bgcolor mode="background">
  <r>225</r>
  <g>220</g>
  <b>205</b>
 </bgcolor>
 <bsbObject type="BSBLabel" version="2">
  <x>10</x>
  <y>8</y>
  <width>380</width>
  <height>30</height>
  <visible>true</visible>
  <midichan>0</midichan>
  <midicc>0</midicc>
  <label>Echoes</label>
  <fontsize>18</fontsize>
  <precision>3</precision>
  <color>
   <r>20</r>
   <g>20</g>
   <b>20</b>
  </color>
  <bgcolor mode="nobackground">
   <r>255</r>
   <g>255</g>
   <b>255</b>
  </bgcolor>
 </bsbObject>
 <bsbObject type="BSBVSlider" version="2">
  <x>20</x>
  <y>50</y>
  <width>24</width>
  <height>120</height>
  <visible>true</visible>
  <midichan>0</midichan>
  <midicc>0</midicc>
  <objectName>time</objectName>
  <minimum>0.05</minimum>
  <maximum>1</maximum>
  <value>0.33</value>
  <mode>lin</mode>
  <resolution>-1</resolution>
 </bsbObject>
 <bsbObject type="BSBLabel" version="2">
  <x>6</x>
  <y>172</y>
  <width>56</width>
  <height>18</height>
  <visible>true</visible>
  <midichan>0</midichan>
  <midicc>0</midicc>
  <label>Time</label>
  <fontsize>11</fontsize>
  <bgcolor mode="nobackground">
   <r>255</r>
   <g>255</g>
   <b>255</b>
  </bgcolor>
 </bsbObject>
 <bsbObject type="BSBVSlider" version="2">
  <x>82</x>
  <y>50</y>
  <width>24</width>
  <height>120</height>
  <visible>true</visible>
  <midichan>0</midichan>
  <midicc>0</midicc>
  <objectName>feedback</objectName>
  <minimum>0</minimum>
  <maximum>0.95</maximum>
  <value>0.6</value>
  <mode>lin</mode>
  <resolution>-1</resolution>
 </bsbObject>
 <bsbObject type="BSBLabel" version="2">
  <x>68</x>
  <y>172</y>
  <width>56</width>
  <height>18</height>
  <visible>true</visible>
  <midichan>0</midichan>
  <midicc>0</midicc>
  <label>Feedback</label>
  <fontsize>11</fontsize>
  <bgcolor mode="nobackground">
   <r>255</r>
   <g>255</g>
   <b>255</b>
  </bgcolor>
 </bsbObject>
 <bsbObject type="BSBVSlider" version="2">
  <x>144</x>
  <y>50</y>
  <width>24</width>
  <height>120</height>
  <visible>true</visible>
  <midichan>0</midichan>
  <midicc>0</midicc>
  <objectName>width</objectName>
  <minimum>0</minimum>
  <maximum>1</maximum>
  <value>0.5</value>
  <mode>lin</mode>
  <resolution>-1</resolution>
 </bsbObject>
 <bsbObject type="BSBLabel" version="2">
  <x>130</x>
  <y>172</y>
  <width>56</width>
  <height>18</height>
  <visible>true</visible>
  <midichan>0</midichan>
  <midicc>0</midicc>
  <label>Width</label>
  <fontsize>11</fontsize>
  <bgcolor mode="nobackground">
   <r>255</r>
   <g>255</g>
   <b>255</b>
  </bgcolor>
 </bsbObject>
 <bsbObject type="BSBVSlider" version="2">
  <x>206</x>
  <y>50</y>
  <width>24</width>
  <height>120</height>
  <visible>true</visible>
  <midichan>0</midichan>
  <midicc>0</midicc>
  <objectName>tone</objectName>
  <minimum>200</minimum>
  <maximum>8000</maximum>
  <value>2500</value>
  <mode>lin</mode>
  <resolution>-1</resolution>
 </bsbObject>
 <bsbObject type="BSBLabel" version="2">
  <x>192</x>
  <y>172</y>
  <width>56</width>
  <height>18</height>
  <visible>true</visible>
  <midichan>0</midichan>
  <midicc>0</midicc>
  <label>Tone</label>
  <fontsize>11</fontsize>
  <bgcolor mode="nobackground">
   <r>255</r>
   <g>255</g>
   <b>255</b>
  </bgcolor>
 </bsbObject>
 <bsbObject type="BSBKnob" version="2">
  <x>280</x>
  <y>50</y>
  <width>60</width>
  <height>60</height>
  <visible>true</visible>
  <midichan>0</midichan>
  <midicc>0</midicc>
  <objectName>pick</objectName>
  <minimum>0</minimum>
  <maximum>1</maximum>
  <value>0.7</value>
  <mode>lin</mode>
  <resolution>0.01</resolution>
 </bsbObject>
 <bsbObject type="BSBLabel" version="2">
  <x>280</x>
  <y>112</y>
  <width>60</width>
  <height>18</height>
  <visible>true</visible>
  <midichan>0</midichan>
  <midicc>0</midicc>
  <label>Pick</label>
  <fontsize>11</fontsize>
  <bgcolor mode="nobackground">
   <r>255</r>
   <g>255</g>
   <b>255</b>
  </bgcolor>
 </bsbObject>
 <bsbObject type="BSBController" version="2">
  <x>355</x>
  <y>50</y>
  <width>16</width>
  <height>120</height>
  <visible>true</visible>
  <midichan>0</midichan>
  <midicc>0</midicc>
  <objectName></objectName>
  <objectName2>level</objectName2>
  <type>fill</type>
  <xMin>0</xMin>
  <xMax>1</xMax>
  <yMin>0</yMin>
  <yMax>1</yMax>
  <xValue>0</xValue>
  <yValue>0</yValue>
  <color>
   <r>70</r>
   <g>150</g>
   <b>80</b>
  </color>
  <bgcolor>
   <r>30</r>
   <g>30</g>
   <b>30</b>
  </bgcolor>
 </bsbObject>
 <bsbObject type="BSBDropdown" version="2">
  <x>20</x>
  <y>205</y>
  <width>110</width>
  <height>26</height>
  <visible>true</visible>
  <midichan>0</midichan>
  <midicc>0</midicc>
  <objectName>pattern</objectName>
  <selectedIndex>1</selectedIndex>
  <bsbDropdownItemList>
   <bsbDropdownItem>
    <name>Rest</name>
    <value>0</value>
    <stringvalue/>
   </bsbDropdownItem>
   <bsbDropdownItem>
    <name>Slow</name>
    <value>1</value>
    <stringvalue/>
   </bsbDropdownItem>
   <bsbDropdownItem>
    <name>Walk</name>
    <value>2</value>
    <stringvalue/>
   </bsbDropdownItem>
   <bsbDropdownItem>
    <name>Run</name>
    <value>3</value>
    <stringvalue/>
   </bsbDropdownItem>
  </bsbDropdownItemList>
 </bsbObject>
 <bsbObject type="BSBButton" version="2">
  <x>145</x>
  <y>205</y>
  <width>100</width>
  <height>26</height>
  <visible>true</visible>
  <midichan>0</midichan>
  <midicc>0</midicc>
  <objectName></objectName>
  <type>event</type>
  <pressedValue>1</pressedValue>
  <text>Pluck</text>
  <eventLine>i 2 0 2 57</eventLine>
  <latch>false</latch>
  <latched>false</latched>
 </bsbObject>
 <bsbObject type="BSBButton" version="2">
  <x>260</x>
  <y>205</y>
  <width>110</width>
  <height>26</height>
  <visible>true</visible>
  <midichan>0</midichan>
  <midicc>0</midicc>
  <objectName>freeze</objectName>
  <type>value</type>
  <pressedValue>1</pressedValue>
  <text>Hold echoes</text>
  <eventLine></eventLine>
  <latch>true</latch>
  <latched>false</latched>
 </bsbObject>
 <bsbObject type="BSBDisplay" version="2">
  <x>20</x>
  <y>245</y>
  <width>350</width>
  <height>22</height>
  <visible>true</visible>
  <midichan>0</midichan>
  <midicc>0</midicc>
  <objectName>said</objectName>
  <label></label>
  <fontsize>12</fontsize>
  <precision>2</precision>
  <color>
   <r>20</r>
   <g>20</g>
   <b>20</b>
  </color>
  <bgcolor mode="background">
   <r>255</r>
   <g>255</g>
   <b>255</b>
  </bgcolor>
 </bsbObject>
</bsbPanel>
<bsbPresets>
</bsbPresets>
