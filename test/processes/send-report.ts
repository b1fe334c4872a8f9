/**
 * Sends a message to the process that started this one, and waits until the message has left: a killed process has then
 * lost one at most.
 */
export function sendReport(report: object): Promise<void> {
  return new Promise((resolve, reject) => {
    process.send?.(report, undefined, undefined, (error) => (error ? reject(error) : resolve()))
  })
}
