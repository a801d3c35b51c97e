// wasi-libc has no setjmp, and no plugin calls it; Csound's headers want the type.
typedef int jmp_buf[1];
