// Places calls are made from that Callgrind tells apart by name: a call through `trace_high_A` and
// `trace_low_B` costs what the arc between the two costs. All of them together tell two million calls
// apart. What runs in between is not counted but for the instructions named here.

  .altmacro

  .macro begin name
  .balign 16
  .globl \name
  .hidden \name
  .type \name, @function
\name:
  .endm

// What valgrind looks for, see CCallgrind.h: from here on instructions are counted, or no longer. What has
// run since the last jump is counted if it is counted from here on, so that a jump comes first where
// counting begins.

#if defined(__aarch64__)

// Destroys x3 and x4.
  .macro toggle
  ror x12, x12, #3
  ror x12, x12, #13
  ror x12, x12, #51
  ror x12, x12, #61
  orr x10, x10, x10
  .endm

  .macro end_counting
  adrp x4, count_toggle
  add x4, x4, :lo12:count_toggle
  mov x3, #0
  toggle
  .endm

  .macro begin_counting
  adrp x4, count_toggle
  add x4, x4, :lo12:count_toggle
  mov x3, #0
  b 1f
1:
  toggle
  .endm

  .macro high number
  begin trace_high_\number
  stp x29, x30, [sp, #-16]!
  blr x3
  ldp x29, x30, [sp], #16
  ret
  .size trace_high_\number, . - trace_high_\number
  .endm

  .macro low number
  begin trace_low_\number
  stp x29, x30, [sp, #-16]!
  bl trace_true
  ldp x29, x30, [sp], #16
  ret
  .size trace_low_\number, . - trace_low_\number
  .endm

  .macro entry name, function
  begin \name
  stp x29, x30, [sp, #-16]!
  end_counting
  bl \function
  begin_counting
  ldp x29, x30, [sp], #16
  ret
  .size \name, . - \name
  .endm

  .macro counted_call
  stp x29, x30, [sp, #-16]!
  begin_counting
  blr x2
  end_counting
  ldp x29, x30, [sp], #16
  ret
  .endm

#else

// Destroys rax and rdx.
  .macro toggle
  rolq $3, %rdi
  rolq $13, %rdi
  rolq $61, %rdi
  rolq $51, %rdi
  xchgq %rbx, %rbx
  .endm

  .macro end_counting
  leaq count_toggle(%rip), %rax
  xorl %edx, %edx
  toggle
  .endm

  .macro begin_counting
  leaq count_toggle(%rip), %rax
  xorl %edx, %edx
  jmp 1f
1:
  toggle
  .endm

  .macro high number
  begin trace_high_\number
  subq $8, %rsp
  callq *%rcx
  addq $8, %rsp
  retq
  .size trace_high_\number, . - trace_high_\number
  .endm

  .macro low number
  begin trace_low_\number
  subq $8, %rsp
  callq trace_true
  addq $8, %rsp
  retq
  .size trace_low_\number, . - trace_low_\number
  .endm

  .macro entry name, function
  begin \name
  movq %rdx, %rcx
  end_counting
  movq %rcx, %rdx
  subq $8, %rsp
  callq \function
  addq $8, %rsp
  movl %eax, %ecx
  begin_counting
  movl %ecx, %eax
  retq
  .size \name, . - \name
  .endm

  .macro counted_call
  subq $8, %rsp
  movq %rdx, %rcx
  begin_counting
  callq *%rcx
  movl %eax, %ecx
  end_counting
  movl %ecx, %eax
  addq $8, %rsp
  retq
  .endm

#endif

  .text

// int trace_true(CSOUND *csound, void *block, SUBR function): the function, which is counted with two
// instructions more, the request and the call.
  begin trace_true
  counted_call
  .size trace_true, . - trace_true

// What blocks call where instructions are counted: three of ours are, from the last request on.
  entry trace_counted_perform, trace_perform
  entry trace_counted_initialize, trace_initialize
// The same for messages, whose three are counted as the printing opcode's or the engine's.
  entry count_message, count_take_message

  .set number, 0
  .rept 2048
  high %number
  .set number, number + 1
  .endr

  .set number, 0
  .rept 1024
  low %number
  .set number, number + 1
  .endr

  .section .note.GNU-stack, "", @progbits
