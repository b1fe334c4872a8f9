import type { Writable } from 'node:stream'
import { Presets, SingleBar } from 'cli-progress'

export interface Progress {
  /** Shows the number of completed items. */
  update(done: number): void
  end(): void
}

/**
 * Shows the progress of long work: a bar on a terminal, elsewhere a line at every tenth.
 *
 * @param label name of the items, e.g. `lead times`.
 */
export function showProgress(output: Writable & { isTTY?: boolean }, label: string, total: number): Progress {
  return output.isTTY ? barProgress(output, label, total) : lineProgress(output, label, total)
}

/**
 * Shows the progress of work whose total is unknown: a number on a terminal, elsewhere a line at intervals.
 *
 * @param label name of the items, e.g. `records`.
 * @param steps number of items between two numbers, and between two lines.
 */
export function showCount(
  output: Writable & { isTTY?: boolean },
  label: string,
  steps: { readonly number: number; readonly line: number } = { number: 1_000, line: 100_000 },
): Progress {
  let lastShown = 0
  const step = output.isTTY ? steps.number : steps.line
  return {
    update(done) {
      if (done - lastShown < step) return
      lastShown = done
      output.write(output.isTTY ? `\r${done} ${label}` : `${done} ${label}\n`)
    },
    end() {
      if (output.isTTY && lastShown > 0) output.write('\n')
    },
  }
}

function barProgress(stream: Writable, label: string, total: number): Progress {
  const format = `${label} {bar} {percentage}% | {value}/{total} | {eta_formatted} left`
  const progressBar = new SingleBar(
    { format, stream: stream as NodeJS.WriteStream, hideCursor: true },
    Presets.shades_classic,
  )
  progressBar.start(total, 0)
  return { update: (done) => progressBar.update(done), end: () => progressBar.stop() }
}

function lineProgress(output: Writable, label: string, total: number): Progress {
  let lastTenth = 0
  return {
    update(done) {
      const tenth = total === 0 ? 10 : Math.floor((done / total) * 10)
      if (tenth > lastTenth) output.write(`${label}: ${done} of ${total}\n`)
      lastTenth = Math.max(lastTenth, tenth)
    },
    end() {},
  }
}
