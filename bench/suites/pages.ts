import { openReactPage } from '../../test/setup/react-page.ts'
import type { Suite } from '../compare.ts'
import { type Latency, measureLatency } from '../latency.ts'

const suite = 'pages'

/** The pages by the provider that they use. */
const pages: Readonly<Record<string, string>> = {
  '@halyard/openfeature': 'docs/examples/react/page.tsx',
  '@openfeature/ofrep-web-provider': 'test/pages/ofrep-page.tsx',
}

/** Measures the time from a change of a flag until a page shows the change. */
export const pageChanges: Suite = {
  name: suite,
  about:
    'Delay from the call of patchFlag until a page in Chromium shows the new value of the flag, with @openfeature/react-sdk, by the provider of the page. The engine is on memory, in the process of the measurement, which also looks for the value in the page. Target: 500 ms.',
  async run() {
    const latencies: Latency[] = []
    for (const [provider, file] of Object.entries(pages)) latencies.push(await changeOf(provider, file))
    return latencies
  },
}

async function changeOf(provider: string, file: string): Promise<Latency> {
  const page = await openReactPage(file)
  try {
    await page.heading('Checkout')
    let on = false
    return await measureLatency({
      suite,
      case: 'change until the page shows it',
      storage: provider,
      async run() {
        on = !on
        await page.turn(on)
        await page.heading(on ? 'New checkout' : 'Checkout')
      },
    })
  } finally {
    await page.close()
  }
}
