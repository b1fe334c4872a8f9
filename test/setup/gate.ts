/** Creates a gate, at which tests can make concurrent operations wait. It is open at first. */
export function gate() {
  let passage: Promise<void> | undefined
  return {
    /** Resolves when the gate is open. */
    passed: async () => passage,
    /** Closes the gate for all following callers, and returns a function that opens it again. */
    hold(): () => void {
      let open = () => {}
      passage = new Promise((resolve) => {
        open = () => {
          passage = undefined
          resolve()
        }
      })
      return open
    },
  }
}
