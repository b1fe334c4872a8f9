export { createMemoryStorage, type MemorySnapshot, type MemoryStorage } from './memory-storage.ts'
