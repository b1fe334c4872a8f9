import type { OperationConformance } from '@halyard/conformance'

/** Result of a suite, as JSON. */
export interface ConformanceReport {
  readonly passed: number
  readonly failed: readonly { readonly group: string; readonly name: string; readonly message: string }[]
}

/** Creates a suite for one request, because edge runtimes bind everything that is opened to its request. */
export type SuiteMaker = (query: URLSearchParams) => OperationConformance

/** Returns every m-th case, so that each part contains cases of all groups. */
function shareOf<Case>(cases: readonly Case[], share: number, shares: number): Case[] {
  return cases.filter((_, index) => index % shares === share)
}

/**
 * Creates a handler that runs suites on any runtime: `GET /<suite>` runs its cases one after the other and responds
 * with a report; `?share=<n>&shares=<m>` runs the n-th of m parts, and `?names` lists the cases without running them.
 *
 * @param suites factory of each suite by name.
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

/** Maximum duration of a case, ms. */
const longest = 60_000

/** Rejects when the work takes too long, because a case that never ends would lose the results of all others. */
async function inTime(work: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the case took more than ${longest / 1_000} s`)), longest)
  })
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
}
