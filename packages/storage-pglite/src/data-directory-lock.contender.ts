import { lockDataDirectory } from './data-directory-lock.ts'

// A process of the lock's test. It tries to lock each directory that it receives, immediately, and keeps the locks it
// gets.
process.on('message', (directory: string) => process.send?.({ taken: tryToLock(directory) }))
process.once('disconnect', () => process.exit())

function tryToLock(directory: string): boolean {
  try {
    lockDataDirectory(directory)
    return true
  } catch (error) {
    if (error instanceof Error && error.message.includes('in use by process')) return false
    throw error
  }
}
