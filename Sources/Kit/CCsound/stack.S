// Windows enlarges the stack when the page below it is touched. A function that needs more than a page calls this one
// with the number of bytes in rax; no register changes. For x86-64 Windows; on Linux nothing calls it.
.globl ___chkstk_ms
___chkstk_ms:
  pushq %rcx
  pushq %rax
  leaq 24(%rsp), %rcx  // the caller's stack pointer
  jmp 2f
1:
  subq $4096, %rcx
  testb $0, (%rcx)
  subq $4096, %rax
2:
  cmpq $4096, %rax
  ja 1b
  subq %rax, %rcx
  testb $0, (%rcx)
  popq %rax
  popq %rcx
  ret
