import { baseRoles, type Statement, validateStatements } from '@halyard/core/policy'
import type { JwtIdentifierOptions, ServiceRule } from '@halyard/oidc'
import { cliError } from './cli-error.ts'
import type { OptionDeclaration } from './options.ts'

export const oidcDeclarations = {
  'oidc-issuer': {
    type: 'string',
    env: 'HALYARD_OIDC_ISSUER',
    help: 'OpenID Connect issuer whose JSON Web Tokens name callers',
  },
  'oidc-audience': {
    type: 'string',
    env: 'HALYARD_OIDC_AUDIENCE',
    help: 'comma-separated list of accepted audiences of these tokens',
  },
  'oidc-member-claim': {
    type: 'string',
    env: 'HALYARD_OIDC_MEMBER_CLAIM',
    preset: 'email',
    help: 'claim with the id or the e-mail address of a member',
  },
  'oidc-subjects': {
    type: 'string',
    env: 'HALYARD_OIDC_SUBJECTS',
    help: 'comma-separated list of subjects that are not members, such as CI jobs; * matches any text',
  },
  'oidc-role': {
    type: 'string',
    env: 'HALYARD_OIDC_ROLE',
    help: 'base role of these subjects',
  },
  'oidc-policy': {
    type: 'string',
    env: 'HALYARD_OIDC_POLICY',
    help: 'policy of these subjects in place of a role: statements as JSON',
  },
  'oidc-client-id': {
    type: 'string',
    env: 'HALYARD_OIDC_CLIENT_ID',
    help: 'client id of the console at the issuer, so that people sign in there',
  },
  'oidc-client-secret': {
    type: 'string',
    env: 'HALYARD_OIDC_CLIENT_SECRET',
    help: 'secret of this client, for issuers that require one',
  },
} as const satisfies Record<string, OptionDeclaration>

type Values = Readonly<Record<keyof typeof oidcDeclarations, string | undefined>>

/** Reads the options for JSON Web Tokens; undefined without an issuer. Refuses options that have no effect. */
export function readOidcOptions(values: Values): JwtIdentifierOptions | undefined {
  const { 'oidc-issuer': issuer, 'oidc-audience': audiences } = values
  const services = readServices(values)
  if (issuer === undefined) {
    if (audiences !== undefined || services.length > 0) throw cliError('--oidc-issuer must be present')
    return undefined
  }
  const audience = listOf(audiences)
  if (audience.length === 0) throw cliError('--oidc-audience must be present, so that tokens for others are refused')
  return { issuer, audience, services, claims: { member: values['oidc-member-claim'] } }
}

/** The console as a client of the issuer. */
export interface OidcClient {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string | undefined
}

/** Reads the options for the sign-in of people at the issuer; undefined without a client id. */
export function readOidcClient(values: Values): OidcClient | undefined {
  const { 'oidc-issuer': issuer, 'oidc-client-id': clientId, 'oidc-client-secret': clientSecret } = values
  if (clientId === undefined) {
    if (clientSecret !== undefined) throw cliError('--oidc-client-id must be present')
    return undefined
  }
  if (issuer === undefined) throw cliError('--oidc-issuer must be present')
  if (!listOf(values['oidc-audience']).includes(clientId))
    throw cliError('--oidc-audience must contain the value of --oidc-client-id, which is the audience of ID tokens')
  return { issuer, clientId, clientSecret }
}

function readServices(values: Values): readonly ServiceRule[] {
  const { 'oidc-role': role, 'oidc-policy': policy } = values
  const subjects = listOf(values['oidc-subjects'])
  const hasRights = role !== undefined || policy !== undefined
  if (subjects.length > 0 && !hasRights) throw cliError('--oidc-subjects must come with --oidc-role or --oidc-policy')
  if (subjects.length === 0 && hasRights)
    throw cliError('--oidc-subjects must be present, so that other tokens of the issuer get no rights')
  const rights = policy === undefined ? { role: readRole(role) } : { inlinePolicy: readPolicy(policy) }
  return subjects.map((subject) => ({ subject, ...rights }))
}

function readRole(text: string | undefined): ServiceRule['role'] {
  const roles = Object.keys(baseRoles) as (keyof typeof baseRoles)[]
  const role = roles.find((name) => name === text)
  if (text !== undefined && role === undefined)
    throw cliError(`--oidc-role must be one of ${roles.join(', ')}, not "${text}"`)
  return role
}

function readPolicy(text: string): readonly Statement[] {
  let statements: unknown
  try {
    statements = JSON.parse(text)
  } catch (error) {
    throw cliError('--oidc-policy must be JSON', error)
  }
  const [error] = validateStatements(statements)
  if (error) throw cliError(`--oidc-policy: ${error.attribute} ${error.reason}`)
  // Cast: the statements are valid.
  return statements as readonly Statement[]
}

function listOf(text: string | undefined): readonly string[] {
  const items = (text ?? '').split(',').map((item) => item.trim())
  return items.filter((item) => item !== '')
}
