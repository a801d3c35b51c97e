import CSeccomp
import Foundation
import HarnessBase

/// Refuses system calls that no piece needs: those that start programs, reach the network, other
/// processes or the system's settings.
///
/// It uses Linux's seccomp, through libseccomp. It applies to all code in the process, including a
/// plugin that a piece brings.
enum SystemCallFilter {
  /// Refused whatever the arguments are.
  private static let refused = [
    // Programs and processes; `clone` is below.
    "execve", "execveat", "fork", "vfork", "setsid", "setpgid",
    // The network, and local sockets.
    "socket", "connect", "bind", "listen", "accept", "accept4", "sendto", "sendmsg", "sendmmsg",
    // Other processes: their memory, their threads, their turn on the processor.
    "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "process_mrelease",
    "kcmp", "pidfd_open", "pidfd_getfd", "pidfd_send_signal", "tkill", "setpriority", "ioprio_set",
    "sched_setscheduler", "sched_setparam", "sched_setattr", "sched_setaffinity",
    // Memory and queues that are shared with other processes.
    "shmget", "shmat", "shmctl", "semget", "semop", "semtimedop", "semctl", "msgget", "msgsnd",
    "msgrcv", "msgctl", "mq_open", "mq_unlink",
    // Attributes of files, which Landlock does not guard.
    "chmod", "fchmod", "fchmodat", "chown", "fchown", "lchown", "fchownat", "setxattr", "lsetxattr",
    "fsetxattr", "removexattr", "lremovexattr", "fremovexattr", "utime", "utimes", "futimesat",
    "utimensat", "truncate",
    // Ways round a filter, and into the kernel.
    "io_uring_setup", "io_uring_enter", "io_uring_register", "bpf", "perf_event_open",
    "userfaultfd", "keyctl", "add_key", "request_key", "name_to_handle_at", "open_by_handle_at",
    "fanotify_init",
    "lookup_dcookie", "uselib",
    // The system.
    "mount", "umount", "umount2", "pivot_root", "chroot", "move_mount", "open_tree", "fsopen",
    "fsconfig", "fsmount", "fspick", "mount_setattr", "setns", "unshare", "init_module",
    "finit_module", "delete_module", "kexec_load", "kexec_file_load", "reboot", "swapon", "swapoff",
    "acct", "quotactl", "quotactl_fd", "settimeofday", "clock_settime", "clock_adjtime", "adjtimex",
    "sethostname", "setdomainname", "syslog", "iopl", "ioperm", "vhangup", "nfsservctl",
  ]

  /// These fail as if the kernel did not know them, so that libc uses older calls, whose arguments a
  /// filter can see.
  private static let hidden = ["clone3", "openat2"]

  /// The numbers of system calls that are newer than this list, which are the same on x86-64 and arm64.
  /// They fail as if the kernel did not know them.
  private static let newer: ClosedRange<Int32> = 452...1023

  // Constants of the kernel that Swift does not import: `CLONE_THREAD`; the requests `TIOCSTI`,
  // `TIOCLINUX`, `FIOSETOWN` and `SIOCSPGRP`; the commands `F_SETOWN` and `F_SETOWN_EX`.
  private static let makesThread: UInt64 = 0x1_0000
  private static let (typeInput, controlConsole): (UInt64, UInt64) = (0x5412, 0x541C)
  private static let (setOwner, setGroup): (UInt64, UInt64) = (0x8901, 0x8902)
  private static let (setSignalled, setSignalledThread): (UInt64, UInt64) = (8, 15)

  /// Whether the kernel supports seccomp filters.
  static var isThere: Bool { seccomp_is_there() != 0 }

  /// Installs the filter in all threads of this process, for the rest of its life. Returns false if that
  /// fails.
  static func install() -> Bool {
    guard let filter = seccomp_init(SCMP_ACT_ALLOW) else { return false }
    defer { seccomp_release(filter) }
    var rules = Rules(filter: filter)
    // The filter applies to existing threads, too. It searches its rules as a tree, as there are many.
    rules.check(seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1))
    rules.check(seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2))
    for name in refused { rules.refuse(name) }
    for name in hidden { rules.refuse(name, ENOSYS) }
    for number in newer { rules.refuse(number, ENOSYS) }
    rules.refuse("clone", where: .bits(0, makesThread, are: 0))
    for name in ["kill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"] {
      rules.refuse(name, where: .differs(0, from: UInt64(getpid())))
    }
    rules.refuse("prlimit64", where: .differs(0, from: 0))
    // Requests that type into a terminal, or that have signals sent to another process.
    for request in [typeInput, controlConsole, setOwner, setGroup] {
      rules.refuse("ioctl", where: .bits(1, 0xFFFF_FFFF, are: request))
    }
    for command in [setSignalled, setSignalledThread] {
      rules.refuse("fcntl", where: .bits(1, 0xFFFF_FFFF, are: command))
    }
    // Opening a file for reading with `O_TRUNC` empties it, which the first two versions of Landlock
    // allow.
    let emptying = UInt64(O_ACCMODE | O_TRUNC)
    rules.refuse("open", where: .bits(1, emptying, are: UInt64(O_TRUNC)))
    rules.refuse("openat", where: .bits(2, emptying, are: UInt64(O_TRUNC)))
    rules.check(seccomp_load(filter))
    return rules.areAllThere
  }
}

/// Adds rules to a filter.
private struct Rules {
  let filter: scmp_filter_ctx
  private(set) var areAllThere = true

  /// A condition on an argument of a system call; arguments are counted from 0.
  enum Condition {
    case differs(UInt32, from: UInt64)
    case bits(UInt32, UInt64, are: UInt64)

    var comparison: scmp_arg_cmp {
      switch self {
      case .differs(let argument, let value):
        scmp_arg_cmp(arg: argument, op: SCMP_CMP_NE, datum_a: value, datum_b: 0)
      case .bits(let argument, let mask, let value):
        scmp_arg_cmp(arg: argument, op: SCMP_CMP_MASKED_EQ, datum_a: mask, datum_b: value)
      }
    }
  }

  mutating func check(_ status: Int32) {
    if status != 0 { areAllThere = false }
  }

  /// Refuses a system call of this name, if this kind of processor has one.
  mutating func refuse(_ name: String, _ error: Int32 = EPERM, where condition: Condition? = nil) {
    let number = seccomp_syscall_resolve_name(name)
    guard number >= 0 else { return }
    refuse(number, error, where: condition)
  }

  mutating func refuse(_ number: Int32, _ error: Int32, where condition: Condition? = nil) {
    var comparison = condition?.comparison ?? scmp_arg_cmp()
    check(
      seccomp_rule_add_array(
        filter, seccomp_refusal(error), number, condition == nil ? 0 : 1, &comparison))
  }
}
