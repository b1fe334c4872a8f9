import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { root } from './root.ts'
import { openReactPage } from './setup/react-page.ts'

const example = 'docs/examples/react/page.tsx'

/** Opens a page and changes its flag six times. The page has to show each change. */
async function requestsOfChanges(file: string) {
  const { requests, turn, heading, close } = await openReactPage(file)
  onTestFinished(close)
  await heading('Checkout')
  for (let i = 0; i < 3; i++) {
    await turn(true)
    await heading('New checkout')
    await turn(false)
    await heading('Checkout')
  }
  return requests
}

it('the example of a React page is the example that the guide shows', () => {
  const guide = readFileSync(path.join(root, 'docs/guide/openfeature.md'), 'utf8')
  const [, shown] = /^```tsx\n(.*?)^```/ms.exec(guide) ?? []
  expect(shown).toBe(readFileSync(path.join(root, example), 'utf8'))
})

it('the example of a React page shows each change of the flag by its stream, without a further request', async () => {
  expect(await requestsOfChanges(example)).toEqual(['sdk', 'eval'])
})

it('a React page with the published OFREP provider shows each change of the flag, without polling', async () => {
  const requests = await requestsOfChanges('test/pages/ofrep-page.tsx')
  // The page requests all flags at the start, opens the stream, and requests all flags when the stream is open and at
  // most once for each change.
  expect(requests.filter((folder) => folder === 'ofrep').length).toBeLessThanOrEqual(9)
})
