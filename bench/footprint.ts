/** How much memory one of many takes, beside a peer in the same run. */
export interface Footprint {
  readonly suite: string
  readonly case: string
  /** kB (1000 bytes) of the whole process for each of them, as the operating system counts it. */
  readonly residentKB: number
  /** The same of what the language holds. */
  readonly heapKB: number
  readonly peer: string
  readonly peerResidentKB: number
  readonly peerHeapKB: number
}
