// Saves what a called function must preserve, changes stack and thread pointer, and restores it from there.
#if defined(__linux__) && defined(__x86_64__)
.text
.globl fiber_swap
.hidden fiber_swap
.p2align 4
fiber_swap:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  testl %ecx, %ecx
  je 1f
  .byte 0xf3, 0x48, 0x0f, 0xae, 0xd2 // wrfsbase %rdx
  jmp 2f
1:
  movl $158, %eax // arch_prctl(ARCH_SET_FS, address)
  movl $0x1002, %edi
  movq %rdx, %rsi
  syscall
2:
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.section .note.GNU-stack,"",%progbits
#endif
