// In front of a function of Swift's runtime that async functions end with: their arguments are in more registers than a
// function in C keeps.
#if defined(__linux__) && defined(__x86_64__)
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
.section .note.GNU-stack,"",%progbits
#endif
