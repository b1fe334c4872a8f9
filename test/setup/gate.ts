/** A gate that stands open until a test holds it. */
export function gate() {
  let passage: Promise<void> | undefined
  return {
    /** Waits until the gate is open. */
    passed: async () => passage,
    /** Holds back whoever comes from now on, until the result is called. */
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
