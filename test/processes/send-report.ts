/**
 * Sends a message to the process that started this process, and waits until the message is sent. So a process that is
 * killed afterwards has lost at most one message.
 */
export function sendReport(report: object): Promise<void> {
  return new Promise((resolve, reject) => {
    process.send?.(report, undefined, undefined, (error) => (error ? reject(error) : resolve()))
  })
}
