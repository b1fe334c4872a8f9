import type { OperationConformance } from '@halyard/conformance'

/** Result of a suite, as JSON. */
export interface ConformanceReport {
  readonly passed: number
  readonly failed: readonly { readonly group: string; readonly name: string; readonly message: string }[]
}

/** Creates a suite for one request, because edge runtimes bind everything that is opened to its request. */
export type SuiteFactory = (query: URLSearchParams) => OperationConformance

/** Returns every m-th case, so that each part contains cases of all groups. */
function partOf<Case>(cases: readonly Case[], part: number, partCount: number): Case[] {
  return cases.filter((_, index) => index % partCount === part)
}

/**
 * Creates a handler that runs suites on any runtime: `GET /<suite>` runs its cases one after the other and responds
 * with a report; `?share=<n>&shares=<m>` runs the n-th of m parts, and `?names` lists the cases without running them.
 *
 * @param suites factory of each suite by name.
 */
export function conformanceHandler(suites: Readonly<Record<string, SuiteFactory>>) {
  return async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url)
    const createSuite = suites[pathname.slice(1)]
    if (!createSuite) return new Response(`no suite ${pathname}`, { status: 404 })
    const { cases, close } = createSuite(searchParams)
    const part = partOf(cases, Number(searchParams.get('share') ?? 0), Number(searchParams.get('shares') ?? 1))
    try {
      if (searchParams.has('names')) return Response.json(part.map(({ group, name }) => `${group}: ${name}`))
      return Response.json(await reportOf(part))
    } finally {
      await close()
    }
  }
}

async function reportOf(cases: OperationConformance['cases']): Promise<ConformanceReport> {
  const failed: ConformanceReport['failed'][number][] = []
  for (const { group, name, run } of cases) {
    try {
      await withTimeout(run())
    } catch (error) {
      failed.push({ group, name, message: String((error as Error)?.stack ?? error) })
    }
  }
  return { passed: cases.length - failed.length, failed }
}

/** Maximum duration of a case, ms. */
const maxMs = 60_000

/** Rejects when the work takes too long, because a case that never ends would lose the results of all others. */
async function withTimeout(work: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the case took more than ${maxMs / 1_000} s`)), maxMs)
  })
  await Promise.race([work, timeout]).finally(() => clearTimeout(timer))
}
