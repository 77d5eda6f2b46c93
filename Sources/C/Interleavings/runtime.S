// In front of a function of Swift's runtime that async functions end with: their arguments are in more registers than a
// function in C keeps.
#if defined(__x86_64__)
.text
.globl swift_task_switch
.type swift_task_switch, @function
swift_task_switch:
  pushq %rbp
  movq %rsp, %rbp
  pushq %rdi
  pushq %rsi
  pushq %rdx
  pushq %rcx
  pushq %r8
  pushq %r9
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %rax
  call hooks_before_switch@PLT
  popq %rax
  popq %r14
  popq %r13
  popq %r12
  popq %r9
  popq %r8
  popq %rcx
  popq %rdx
  popq %rsi
  popq %rdi
  popq %rbp
  movq real_task_switch@GOTPCREL(%rip), %r11
  jmpq *(%r11)
#elif defined(__aarch64__)
.text
.globl swift_task_switch
.type swift_task_switch, %function
swift_task_switch:
  stp x29, x30, [sp, #-112]!
  mov x29, sp
  stp x0, x1, [sp, #16]
  stp x2, x3, [sp, #32]
  stp x4, x5, [sp, #48]
  stp x6, x7, [sp, #64]
  stp x20, x21, [sp, #80]
  str x22, [sp, #96]
  bl hooks_before_switch
  ldp x0, x1, [sp, #16]
  ldp x2, x3, [sp, #32]
  ldp x4, x5, [sp, #48]
  ldp x6, x7, [sp, #64]
  ldp x20, x21, [sp, #80]
  ldr x22, [sp, #96]
  ldp x29, x30, [sp], #112
  adrp x16, :got:real_task_switch
  ldr x16, [x16, :got_lo12:real_task_switch]
  ldr x16, [x16]
  br x16
#endif
.section .note.GNU-stack,"",%progbits
