// The port: what an engine calls, and what an adapter implements.
export * from '../storage/port.ts'

// Functions that adapters share.
export { compareCodePoints } from '../storage/code-point-order.ts'
export { type TaskChange, type TasksAhead, taskAddress, tasksAhead } from '../storage/tasks-ahead.ts'
export { touchedBy } from '../storage/touched.ts'
