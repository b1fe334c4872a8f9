// The storage interface that an engine calls and an adapter implements.
export * from '../storage/port.ts'

// Functions that adapters share.
export { compareCodePoints, foldAscii } from '../storage/code-point-order.ts'
export { type TaskChange, type TaskBatch, taskAddress, taskBatch } from '../storage/task-batch.ts'
export { touchedBy } from '../storage/touched-records.ts'
