/** Creates a gate, at which tests can make concurrent operations wait. It is open at first. */
export function createGate() {
  let untilOpen: Promise<void> | undefined
  return {
    /** Resolves when the gate is open. */
    waitUntilOpen: async () => untilOpen,
    /** Closes the gate for all following callers, and returns a function that opens it again. */
    close(): () => void {
      let open = () => {}
      untilOpen = new Promise((resolve) => {
        open = () => {
          untilOpen = undefined
          resolve()
        }
      })
      return open
    },
  }
}
