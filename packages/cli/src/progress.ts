import type { Writable } from 'node:stream'
import { Presets, SingleBar } from 'cli-progress'

export interface Progress {
  /** Shows that this number of items is done. */
  at(done: number): void
  end(): void
}

/**
 * Shows the progress of long work: a bar on a terminal, elsewhere a line at every tenth.
 *
 * @param label name of the items, e.g. `lead times`.
 */
export function showProgress(output: Writable & { isTTY?: boolean }, what: string, total: number): Progress {
  return output.isTTY ? bar(output, what, total) : lines(output, what, total)
}

/**
 * Shows the progress of work whose total is unknown: a number on a terminal, elsewhere a line at intervals.
 *
 * @param label name of the items, e.g. `records`.
 * @param steps number of items between two numbers, and between two lines.
 */
export function showCount(
  output: Writable & { isTTY?: boolean },
  what: string,
  steps: { readonly number: number; readonly line: number } = { number: 1_000, line: 100_000 },
): Progress {
  let shown = 0
  const step = output.isTTY ? steps.number : steps.line
  return {
    at(done) {
      if (done - shown < step) return
      shown = done
      output.write(output.isTTY ? `\r${done} ${what}` : `${done} ${what}\n`)
    },
    end() {
      if (output.isTTY && shown > 0) output.write('\n')
    },
  }
}

function bar(stream: Writable, what: string, total: number): Progress {
  const format = `${what} {bar} {percentage}% | {value}/{total} | {eta_formatted} left`
  const shown = new SingleBar(
    { format, stream: stream as NodeJS.WriteStream, hideCursor: true },
    Presets.shades_classic,
  )
  shown.start(total, 0)
  return { at: (done) => shown.update(done), end: () => shown.stop() }
}

function lines(output: Writable, what: string, total: number): Progress {
  let told = 0
  return {
    at(done) {
      const tenth = total === 0 ? 10 : Math.floor((done / total) * 10)
      if (tenth > told) output.write(`${what}: ${done} of ${total}\n`)
      told = Math.max(told, tenth)
    },
    end() {},
  }
}
