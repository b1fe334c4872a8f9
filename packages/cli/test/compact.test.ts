import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { emptyStorage, halyard, temporaryFolder } from './halyard-process.ts'

async function run(args: readonly string[]) {
  const running = halyard(args)
  return { code: await running.ended, out: running.out(), err: running.err() }
}

it('halyard compact summarizes past days of lead times, and the next run continues where the first stopped', async () => {
  const folder = temporaryFolder()
  const storage = ['--storage', emptyStorage(folder)]
  const file = path.join(folder, 'lead-times.csv')
  const day = 86_400_000
  // Three releases each day, for 120 days.
  const rows = Array.from({ length: 360 }, (_, index) => {
    const time = Math.floor(index / 3) * day + index
    return `shop,v${index},c${index},${time},${time},${time + 1000}`
  })
  const heading = 'application,version,commit,authored_at_ms,committed_at_ms,released_at_ms'
  writeFileSync(file, `${heading}\n${rows.join('\n')}\n`)
  expect((await run(['import', 'lead-times', file, ...storage])).code).toBe(0)

  const first = await run(['compact', '--limit', '10', ...storage])
  expect(first).toMatchObject({ code: 0, out: '10 days summarized, more remain\n' })
  const rest = await run(['compact', ...storage])
  expect(rest).toMatchObject({ code: 0, out: '110 days summarized\n', err: expect.stringContaining('100 days\n') })
  expect(await run(['compact', '--limit', 'ten', ...storage])).toMatchObject({
    code: 1,
    err: 'halyard: --limit must be a positive integer\n',
  })
}, 180_000)
