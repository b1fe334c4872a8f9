import type { OperationConformance } from '@halyard/conformance'

/** What became of a suite, as JSON. */
export interface ConformanceReport {
  readonly passed: number
  readonly failed: readonly { readonly group: string; readonly name: string; readonly message: string }[]
}

/** Makes a suite anew: whatever it opens belongs to one request, as edge runtimes want it. */
export type SuiteMaker = (query: URLSearchParams) => OperationConformance

/** The part of its cases that a request has run: every so manieth, so that each part is a bit of everything. */
function shareOf<Case>(cases: readonly Case[], share: number, shares: number): Case[] {
  return cases.filter((_, index) => index % shares === share)
}

/**
 * A suite for any runtime: `GET /<suite>` runs its cases one after the other and answers with a report;
 * `?share=<n>&shares=<m>` runs the n-th of m parts, and `?names` tells its cases and runs none.
 *
 * @param suites how each is made, by name.
 */
export function conformanceHandler(suites: Readonly<Record<string, SuiteMaker>>) {
  return async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url)
    const make = suites[pathname.slice(1)]
    if (!make) return new Response(`no suite ${pathname}`, { status: 404 })
    const { cases, close } = make(searchParams)
    const share = shareOf(cases, Number(searchParams.get('share') ?? 0), Number(searchParams.get('shares') ?? 1))
    try {
      if (searchParams.has('names')) return Response.json(share.map(({ group, name }) => `${group}: ${name}`))
      return Response.json(await reportOf(share))
    } finally {
      await close()
    }
  }
}

async function reportOf(cases: OperationConformance['cases']): Promise<ConformanceReport> {
  const failed: ConformanceReport['failed'][number][] = []
  for (const { group, name, run } of cases) {
    try {
      await inTime(run())
    } catch (error) {
      failed.push({ group, name, message: String((error as Error)?.stack ?? error) })
    }
  }
  return { passed: cases.length - failed.length, failed }
}

/** How long a case may take, ms. */
const longest = 60_000

/** Whoever waits for ever would keep all that the others have to say. */
async function inTime(work: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`takes more than ${longest / 1_000} s`)), longest)
  })
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
}
