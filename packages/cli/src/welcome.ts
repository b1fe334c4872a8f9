import type { Writable } from 'node:stream'
import { demoPeriod } from './demo/demo-period.ts'

export interface Welcome {
  readonly address: string
  readonly storage: string
  /** The administrator's token, when it was just generated. */
  readonly token: string | undefined
  /** Links that sign the people of the demo account in, its owner first. Empty without demo data. */
  readonly people: readonly SignInPath[]
}

/** A link that signs a person in once. */
export interface SignInPath {
  readonly name: string
  /** Path with the code of the link. */
  readonly path: string
}

/** Prints the server's address, the token while it is available, and three calls that work. */
export function printWelcome(output: Writable, { address, storage, token, people }: Welcome): void {
  const [owner, ...others] = people
  const demo = owner !== undefined
  const lines = [`Halyard serves ${address} from ${storage}`]
  lines.push(demo ? `Console (this link signs you in once): ${address}${owner.path}` : `Console: ${address}/`)
  for (const { name, path } of others) lines.push(`Console as ${name}, for a private window: ${address}${path}`)
  lines.push(`Charts and scores: ${address}/insights`)
  lines.push(`All operations: ${address}/api/v2/docs`, '')
  if (token) lines.push(`Administrator's token, shown only now: ${token}`, '')
  else
    lines.push(
      "In these calls, $HALYARD_TOKEN is the administrator's token that was printed or set at the first start.",
      '',
    )
  const header = `-H 'Authorization: ${token ?? '\'"$HALYARD_TOKEN"\''}'`
  for (const path of demo ? demoPaths() : barePaths) {
    const beta = path.includes('engineering-insights') ? " -H 'SVC-API-Version: beta'" : ''
    lines.push(`curl ${header}${beta} '${address}${path}'`)
  }
  output.write(`${lines.join('\n')}\n`)
}

const barePaths = ['/api/v2/projects', '/api/v2/tokens', '/api/v2/roles']

function demoPaths(): readonly string[] {
  const { from, to } = demoPeriod(Date.now())
  return [
    '/api/v2/projects/demo?expand=environments',
    `/api/v2/engineering-insights/charts/lead-time?projectKey=demo&environmentKey=production&groupBy=application&bucketType=day&from=${from}&to=${to}`,
    '/api/v2/code-refs/statistics/demo',
  ]
}
