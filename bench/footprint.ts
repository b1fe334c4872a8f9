/** Memory of one of many items, with a peer from the same run. */
export interface Footprint {
  readonly suite: string
  readonly case: string
  /** Resident memory of the process per item, kB (1,000 bytes). */
  readonly residentKB: number
  /** Heap of the JavaScript engine per item, kB (1,000 bytes). */
  readonly heapKB: number
  readonly peer: string
  readonly peerResidentKB: number
  readonly peerHeapKB: number
}
