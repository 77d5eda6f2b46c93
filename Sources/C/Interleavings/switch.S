// Saves what a called function must preserve, changes stack and thread pointer, and restores it from there.
#if defined(__x86_64__)
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
#elif defined(__aarch64__)
.text
.globl fiber_swap
.hidden fiber_swap
.p2align 4
fiber_swap:
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
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  msr tpidr_el0, x2
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
#endif
.section .note.GNU-stack,"",%progbits
