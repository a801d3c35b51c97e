import Foundation
import HarnessBase

/// The address of another program: an IP address and a port.
struct OscPeer: Hashable {
  /// A `sockaddr_in` or `sockaddr_in6`.
  fileprivate var bytes: [UInt8]

  /// The port, which lies in the same bytes for IPv4 and IPv6.
  var port: UInt16 {
    get { UInt16(bytes[2]) << 8 | UInt16(bytes[3]) }
    set { (bytes[2], bytes[3]) = (UInt8(newValue >> 8), UInt8(newValue & 255)) }
  }
}

/// A UDP socket for OSC packets. Nothing here waits.
final class OscSocket {
  let bound: BoundSocket
  private var buffer = [UInt8](repeating: 0, count: 65536)

  /// Binds to a port of a numeric IP address of this computer.
  init(_ address: String, port: Int) throws(Failure) {
    do throws(BoundSocket.Refusal) {
      bound = try BoundSocket(address, port: port, SOCK_DGRAM)
    } catch {
      guard let reason = error.reason else {
        throw .usage(
          "'\(address)' is no IP address; --osc-address takes one such as 127.0.0.1 or 0.0.0.0.")
      }
      throw .unavailable(
        "OSC cannot be received at \(address), port \(port): \(reason). Choose another with --osc.")
    }
    // Errors of sent packets are kept with the address they were sent to (IP_RECVERR, IPV6_RECVERR).
    var isOn: CInt = 1
    setsockopt(
      descriptor, bound.isV6 ? 41 : 0, bound.isV6 ? 25 : 11, &isOn,
      socklen_t(MemoryLayout<CInt>.size))
  }

  deinit { close(descriptor) }

  var descriptor: CInt { bound.descriptor }

  private static let doesNotWait: CInt = 0x40
  private static let ofErrors: CInt = 0x2000

  private static func peer(_ place: UnsafeRawPointer, _ size: socklen_t) -> OscPeer {
    OscPeer(bytes: Array(UnsafeRawBufferPointer(start: place, count: max(4, Int(size)))))
  }

  /// Calls `body` with the next packet that has arrived and its sender; false if there is none.
  func receive(_ body: (UnsafeRawBufferPointer, OscPeer) -> Void) -> Bool {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return buffer.withUnsafeMutableBytes { buffer in
      withUnsafeMutablePointer(to: &storage) { place in
        let count = place.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          recvfrom(descriptor, buffer.baseAddress, buffer.count, Self.doesNotWait, $0, &size)
        }
        // Other errors are those of sent packets, after which packets may still wait.
        guard count >= 0 else { return errno != EAGAIN && errno != EBADF }
        body(UnsafeRawBufferPointer(rebasing: buffer[..<count]), Self.peer(place, size))
        return true
      }
    }
  }

  enum Sending { case sent, full, failed }

  func send(_ packet: [UInt8], to peer: OscPeer) -> Sending {
    // An error of an earlier packet is reported once, instead of sending.
    for _ in 0..<2 {
      let count = peer.bytes.withUnsafeBytes { address in
        sendto(
          descriptor, packet, packet.count, Self.doesNotWait,
          address.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t(address.count))
      }
      if count >= 0 { return .sent }
      if errno == EAGAIN || errno == ENOBUFS { return .full }
    }
    return .failed
  }

  /// Takes the errors of sent packets, and returns the addresses that could not be reached.
  func takeUnreachable() -> [OscPeer] {
    var peers: [OscPeer] = []
    var storage = sockaddr_storage()
    while true {
      let peer: OscPeer? = withUnsafeMutablePointer(to: &storage) { place in
        var message = msghdr()
        message.msg_name = UnsafeMutableRawPointer(place)
        message.msg_namelen = socklen_t(MemoryLayout<sockaddr_storage>.size)
        guard recvmsg(descriptor, &message, Self.ofErrors | Self.doesNotWait) >= 0 else {
          return nil
        }
        return Self.peer(place, message.msg_namelen)
      }
      guard let peer else { return peers }
      peers.append(peer)
    }
  }
}
