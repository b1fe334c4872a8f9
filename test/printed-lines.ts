import { format } from 'node:util'
import { vi } from 'vitest'

/** Imports an example, which runs it in this process, and returns the lines that it prints. */
export async function printedLines(run: () => Promise<unknown>): Promise<string[]> {
  const print = vi.spyOn(console, 'log').mockImplementation(() => {})
  try {
    await run()
    return print.mock.calls.map((line) => format(...line))
  } finally {
    print.mockRestore()
  }
}
