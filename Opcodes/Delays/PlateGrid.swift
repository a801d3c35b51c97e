import OpcodeKit

/// A place that goes round the plate's middle.
struct PlatePlace: BitwiseCopyable {
  private var cosine, sine: Double
  private var stepCosine = 1.0, stepSine = 0.0
  private var radius = 0.0

  init(angle: Double) {
    let angle = angle.isFinite ? angle : 0
    (cosine, sine) = (Math.cos(angle), Math.sin(angle))
  }

  /// From here on a step turns by an angle, at a radius in parts of `reach`; infinity and NaN count as 0.
  @inline(never)
  mutating func turn(_ angle: Double, radius: Double, reach: Double) {
    let angle = angle.isFinite ? angle : 0
    (stepCosine, stepSine) = (Math.cos(angle), Math.sin(angle))
    self.radius = radius.isFinite ? reach * max(-1, min(radius, 1)) : 0
  }

  @inline(__always)
  mutating func advance() {
    (cosine, sine) = (
      cosine * stepCosine - sine * stepSine, cosine * stepSine + sine * stepCosine
    )
  }

  /// Distances from the middle.
  var across: Double { radius * cosine }
  var along: Double { radius * sine }
}

/// The numbers of points, and the factors of the step: next = a u + b w + c K w + before, before' = d u + e w.
struct PlateDesign: BitwiseCopyable {
  /// Points in a row, and rows: one more than there are steps along the sides.
  let columns, rows: Int
  /// (dx/dy)², the weight of the neighbours at the sides.
  let side: Double
  let a, b, c, d, e: Double
  let aspect: Double

  private static var most: Int { 4000 }

  init(_ arguments: Plate.Arguments, sampleRate: Double) throws(OpcodeError) {
    let (aspect, stiffness) = (arguments.aspect.value, arguments.stiffness.value)
    let (decay, loss) = (arguments.decay.value, arguments.loss.value)
    guard aspect > 0, aspect < .infinity else {
      throw OpcodeError(argument: "iaspect", is: aspect, mustBe: "above 0")
    }
    guard decay > 0 else { throw OpcodeError(argument: "idecay", is: decay, mustBe: "above 0") }
    guard loss >= 0 else { throw OpcodeError(argument: "iloss", is: loss, mustBe: "0 or more") }
    let dt = 1 / sampleRate
    let widest = 2 * (dt * (loss + Math.hypot(loss, stiffness))).squareRoot()
    let most = Double(Self.most)
    guard stiffness >= 0, 1 / widest < most, aspect / widest < most, widest <= 1 else {
      throw OpcodeError(
        argument: "istiffness", is: stiffness,
        mustBe: "so that the plate has from 1 to 4000 steps along each side")
    }
    let steps = Math.floor(1 / widest)
    let stepsAlong = Math.floor(aspect * steps)
    guard stepsAlong >= 1 else {
      throw OpcodeError(
        argument: "iaspect", is: aspect, mustBe: "at least one step of the plate's grid")
    }
    (columns, rows) = (Int(steps) + 1, Int(stepsAlong) + 1)
    self.aspect = aspect
    let ratio = (1 / steps) / (aspect / stepsAlong)
    side = ratio * ratio
    let sigma = 2 * sampleRate * (Math.pow(10, 3 * dt / decay) - 1)
    let mu = dt * stiffness * steps * steps
    let viscous = 2 * loss * dt * steps * steps
    let eta = 1 / (1 + sigma * dt)
    // The differences in L are those of K less `centre` times the point itself.
    let centre = 2 * (1 + side)
    a = eta * (2 - mu * mu * centre * centre - viscous * centre)
    b = eta * (viscous + 2 * mu * mu * centre)
    c = -eta * mu * mu
    d = -eta * (1 - sigma * dt - viscous * centre)
    e = -eta * viscous
  }
}

/// The points of a plate, two rows of zeros or mirrored points around them, and their motion.
///
/// Column c of a row is in place c / width of vector c % width, so that four quarters of the row are side by side. Before
/// and behind the vectors of a row is one with the neighbours of its ends. Columns beyond the last are 0.
struct PlateGrid: BitwiseCopyable {
  private let design: PlateDesign
  /// Vectors with points in a row, and all vectors of a row.
  private let width, stride: Int
  private let memory: Buffer<Quad>
  /// 1 for the columns in a row's last vector, in the one before it and in the one before that; 0 beyond the last.
  private let masks: (Quad, Quad, Quad)
  /// Where the present points begin, and those that hold `before` and get the next.
  private var now, next: Int
  /// Whether all points are 0.
  private var isStill = true
  private var frames = 0

  static func memoryLength(_ design: PlateDesign) -> Int {
    (2 * (design.rows + 4) + 3) * ((design.columns + 3) / 4 + 2)
  }

  init(_ design: PlateDesign, memory: Buffer<Quad>) {
    self.design = design
    self.memory = memory
    let width = (design.columns + 3) / 4
    func mask(_ vector: Int) -> Quad {
      func factor(_ place: Int) -> Double { place * width + vector < design.columns ? 1 : 0 }
      return Quad(values: SIMD4(factor(0), factor(1), factor(2), factor(3)))
    }
    masks = (mask(width - 1), mask(width - 2), mask(width - 3))
    self.width = width
    stride = width + 2
    (now, next) = (0, (design.rows + 4) * stride)
  }

  // MARK: A step

  @inline(never)
  mutating func step(_ boundary: Int) {
    if isStill { return }
    let sums = 2 &* (design.rows &+ 4) &* stride
    var (above, here, below) = (sums, sums &+ stride, sums &+ 2 &* stride)
    var row = 1
    while row < design.rows &+ 3 {
      sum(row, into: below)
      if row > 2 { advance(row &- 1, above, here, below) }
      (above, here, below) = (here, below, above)
      row &+= 1
    }
    (now, next) = (next, now)
    hold(boundary)
  }

  /// w of a row: the points above and below, and those at the sides times `side`.
  @inline(__always) @_semantics("no_performance_analysis")
  private func sum(_ row: Int, into target: Int) {
    let (memory, width, stride) = (memory, width, stride)
    let side = Quad(design.side)
    let start = now &+ row &* stride
    var (left, point) = (memory[start], memory[start &+ 1])
    var index = 1
    while index <= width {
      let right = memory[start &+ index &+ 1]
      let column = memory[start &- stride &+ index] + memory[start &+ stride &+ index]
      memory[target &+ index] = column + side * (left + right)
      (left, point) = (point, right)
      index &+= 1
    }
    // Outside the ends, only the end itself is a neighbour.
    let (first, last) = (memory[start &+ 1][0], memory[start &+ width][3])
    setEnds(of: target, left: design.side * first, right: design.side * last)
  }

  /// A row's next points, from w of the row and of those above and below.
  @inline(__always) @_semantics("no_performance_analysis")
  private func advance(_ row: Int, _ above: Int, _ here: Int, _ below: Int) {
    let (memory, width) = (memory, width)
    let side = Quad(design.side)
    let (a, b, c) = (Quad(design.a), Quad(design.b), Quad(design.c))
    let (d, e) = (Quad(design.d), Quad(design.e))
    let (old, new) = (now &+ row &* stride, next &+ row &* stride)
    var (left, w) = (memory[here], memory[here &+ 1])
    var index = 1
    while index <= width {
      let right = memory[here &+ index &+ 1]
      let column = memory[above &+ index] + memory[below &+ index]
      let sum = column + side * (left + right)
      let point = memory[old &+ index]
      memory[new &+ index] =
        (memory[new &+ index] + a * point) + (b * w + c * sum)
      memory[old &+ index] = d * point + e * w
      (left, w) = (w, right)
      index &+= 1
    }
    let end = new &+ width
    memory[end] = memory[end] * masks.0
    memory[end &- 1] = memory[end &- 1] * masks.1
    memory[end &- 2] = memory[end &- 2] * masks.2
    setEnds(of: new, left: 0, right: 0)
  }

  /// The vectors before and behind a row: its own, by one place further, and what is outside.
  @inline(__always) @_semantics("no_performance_analysis")
  private func setEnds(of start: Int, left: Double, right: Double) {
    let (first, last) = (memory[start &+ 1].values, memory[start &+ width].values)
    memory[start] = Quad(values: SIMD4(left, last[0], last[1], last[2]))
    memory[start &+ width &+ 1] = Quad(values: SIMD4(first[1], first[2], first[3], right))
  }

  /// The plate's edge above and below.
  private func hold(_ boundary: Int) {
    let isHeld = boundary == 1 || boundary == 2
    let factor = Quad(isHeld ? (boundary == 1 ? 1 : -1) : 0)
    let last = design.rows &+ 1
    var index = 0
    while index < stride {
      let place = now &+ index
      if isHeld {
        memory[place &+ 2 &* stride] = Quad(0)
        memory[place &+ last &* stride] = Quad(0)
      }
      memory[place &+ stride] = factor * memory[place &+ 3 &* stride]
      memory[place &+ (last &+ 1) &* stride] = factor * memory[place &+ (last &- 1) &* stride]
      index &+= 1
    }
  }

  // MARK: Places

  /// The vector of a column, counted from a row's start, and its place in the vector.
  @inline(never)
  private func position(_ column: Int) -> (vector: Int, place: Int) {
    var (vector, place) = (column &+ 1, 0)
    while vector > width {
      vector &-= width
      place &+= 1
    }
    return (vector, place)
  }

  /// The four points around a place: the first one's row and column, and how far the place is beyond it.
  @inline(never)
  private func corner(_ place: PlatePlace) -> (start: Int, column: Int, x: Double, y: Double) {
    let x = (0.5 + place.across) * Double(design.columns &- 1)
    let y = (0.5 * design.aspect + place.along) * (Double(design.rows &- 1) / design.aspect)
    let column = Math.whole(x, in: 0...(design.columns &- 2))
    let row = Math.whole(y, in: 0...(design.rows &- 2))
    return (now &+ (row &+ 2) &* stride, column, x - Double(column), y - Double(row))
  }

  /// Adds a sample to the points around a place.
  @inline(never)
  mutating func strike(_ place: PlatePlace, with sample: Double) {
    if isStill && sample.magnitude < 1e-30 { return }
    isStill = false
    let (start, column, x, y) = corner(place)
    add((1 - x) * (1 - y) * sample, (1 - x) * y * sample, start, column)
    add(x * (1 - y) * sample, x * y * sample, start, column &+ 1)
    setEnds(of: start, left: 0, right: 0)
    setEnds(of: start &+ stride, left: 0, right: 0)
  }

  /// Adds to a point and to the one below it.
  @inline(never)
  private func add(_ first: Double, _ second: Double, _ start: Int, _ column: Int) {
    let (vector, place) = position(column)
    memory[start &+ vector].values[place] += first
    memory[start &+ stride &+ vector].values[place] += second
  }

  /// The motion at a place, between the points around it.
  @inline(never)
  func motion(at place: PlatePlace) -> Double {
    if isStill { return 0 }
    let (start, column, x, y) = corner(place)
    let (near, far) = (position(column), position(column &+ 1))
    func value(_ start: Int) -> Double {
      (1 - x) * memory[start &+ near.vector][near.place] + x
        * memory[start &+ far.vector][far.place]
    }
    return (1 - y) * value(start) + y * value(start &+ stride)
  }

  // MARK: Silence

  /// Every now and then: a plate that moves less than -600 dB, or without bounds, comes to rest.
  @inline(never)
  mutating func settle(_ count: Int) {
    frames &+= count
    if isStill || frames < 4096 { return }
    frames = 0
    var peak = Quad(0)
    for index in 0..<(2 &* (design.rows &+ 4) &* stride) {
      peak = peak + memory[index].magnitude
    }
    let total = peak[0] + peak[1] + peak[2] + peak[3]
    if total >= 1e-30 && total < .infinity { return }
    for index in 0..<memory.count { memory[index] = Quad(0) }
    isStill = true
  }
}
