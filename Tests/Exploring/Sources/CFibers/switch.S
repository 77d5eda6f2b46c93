// Saves what a called function must preserve, changes stacks, and restores it from there.

#if defined(__APPLE__)
#define NAME(name) _##name
#else
#define NAME(name) name
#endif

.text
.globl NAME(cfibers_switch)
.globl NAME(cfibers_begin)

#if defined(__x86_64__)

.p2align 4
NAME(cfibers_switch):
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret

.p2align 4
NAME(cfibers_begin):
  movq %r12, %rdi
  callq *%r13
  ud2

#elif defined(__aarch64__)

.p2align 4
NAME(cfibers_switch):
  sub sp, sp, #160
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x2, sp
  str x2, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  ret

.p2align 4
NAME(cfibers_begin):
  mov x0, x19
  blr x20
  brk #1

#endif

#if defined(__linux__) && defined(__ELF__)
.section .note.GNU-stack, "", %progbits
#endif
