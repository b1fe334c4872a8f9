import { clientAddressBehind, type EngineInput, type FindClientAddress } from '@halyard/core'
import type { JwtIdentifierOptions } from '@halyard/oidc'
import { cliError } from './cli-error.ts'
import { type DataExportOptions, dataExportDeclarations, readDataExportOptions } from './data-export-options.ts'
import { type OidcClient, oidcDeclarations, readOidcClient, readOidcOptions } from './oidc-options.ts'
import { type Environment, type OptionDeclaration, readOptions } from './options.ts'
import { storageOption } from './storage-option.ts'

export interface ServeOptions {
  readonly port: number
  readonly host: string
  readonly storage: string
  /** URL of the Postgres server on which the process listens, where `storage` names a pooler. */
  readonly storageListen: string | undefined
  /** URL of a streaming replica of the Postgres server. */
  readonly storageReplica: string | undefined
  /** Value of the administrator's token that is created at the first start. */
  readonly token: string | undefined
  readonly demo: boolean
  readonly rateLimit: boolean
  /** Maximum number of bytes that cached responses and the documents they were read from take together. */
  readonly cacheBytes: number
  readonly log: string
  /** True to send spans and metrics to the OpenTelemetry SDK that the process has registered. */
  readonly telemetry: boolean
  readonly wire: EngineInput['wire']
  /** ARN of the role that writes data exports. */
  readonly dataExportRoleArn: string | undefined
  readonly dataExport: DataExportOptions
  /** Allows webhooks to send to this machine and to private networks. */
  readonly webhookAllowPrivate: boolean
  readonly versionHeaders: readonly [string, ...string[]] | undefined
  /** Origins whose pages may call the API in a browser. */
  readonly corsOrigins: readonly string[] | '*' | undefined
  /** Finds the address of a client behind the proxies; undefined for a server without proxies. */
  readonly clientAddress: FindClientAddress | undefined
  /** Time for which the link of an invitation works, days. */
  readonly invitationDays: number
  /** The issuer whose JSON Web Tokens name callers. */
  readonly oidc: JwtIdentifierOptions | undefined
  /** The console as a client of the issuer, so that people sign in there. */
  readonly oidcClient: OidcClient | undefined
  /** The public URL of the OAuth 2.0 authorization server. */
  readonly oauthIssuer: string | undefined
}

export const serveDeclarations = {
  port: { type: 'string', env: 'PORT', preset: '4180', help: 'port to listen on; 0 selects a free port' },
  host: { type: 'string', env: 'HALYARD_HOST', preset: '127.0.0.1', help: 'address to listen on' },
  storage: storageOption,
  'storage-listen': {
    type: 'string',
    env: 'HALYARD_STORAGE_LISTEN',
    help: 'postgres://… of the server itself, where --storage names a pooler',
  },
  'storage-replica': {
    type: 'string',
    env: 'HALYARD_STORAGE_REPLICA',
    help: 'postgres://… of a streaming replica, for reads',
  },
  token: {
    type: 'string',
    env: 'HALYARD_TOKEN',
    help: "administrator's token of the first start; default: a generated one",
  },
  demo: { type: 'boolean', env: 'HALYARD_DEMO', help: 'fill project demo with real data at the first start' },
  'rate-limit': { type: 'string', env: 'HALYARD_RATE_LIMIT', preset: 'on', help: 'on or off: the rate limit' },
  remember: {
    type: 'string',
    env: 'HALYARD_REMEMBER',
    preset: '64',
    help: 'MiB of memory for cached responses and documents; 0 disables both caches',
  },
  log: { type: 'string', env: 'HALYARD_LOG', preset: 'pretty', help: 'json, pretty or off' },
  telemetry: {
    type: 'boolean',
    env: 'HALYARD_TELEMETRY',
    help: 'report to the OpenTelemetry SDK that NODE_OPTIONS="--import ..." registers',
  },
  timestamps: {
    type: 'string',
    env: 'HALYARD_WIRE_TIMESTAMPS',
    preset: 'string',
    help: 'string or number: format of times in responses',
  },
  wire: {
    type: 'string',
    env: 'HALYARD_WIRE',
    preset: 'specification',
    help: 'specification or reference: format of responses; reference has the types of the public clients',
  },
  'version-headers': {
    type: 'string',
    env: 'HALYARD_VERSION_HEADERS',
    help: 'comma-separated list of names for the version header',
  },
  'cors-origins': {
    type: 'string',
    env: 'HALYARD_CORS_ORIGINS',
    help: 'comma-separated list of origins whose pages may call the API, or *',
  },
  'trusted-proxies': {
    type: 'string',
    env: 'HALYARD_TRUSTED_PROXIES',
    help: 'comma-separated list of addresses and ranges of proxies, whose X-Forwarded-For names the client',
  },
  'invitation-days': {
    type: 'string',
    env: 'HALYARD_INVITATION_DAYS',
    preset: '7',
    help: 'days for which the link of an invitation works',
  },
  ...oidcDeclarations,
  ...dataExportDeclarations,
  'oauth-issuer': {
    type: 'string',
    env: 'HALYARD_OAUTH_ISSUER',
    help: 'public URL of this server, for OAuth clients that act for members',
  },
  'webhook-allow-private': {
    type: 'boolean',
    env: 'HALYARD_WEBHOOK_ALLOW_PRIVATE',
    help: 'allow webhooks to send to this machine and to private networks',
  },
} as const satisfies Record<string, OptionDeclaration>

/** Reads the options of `serve`, and refuses invalid values. */
export function readServeOptions(args: readonly string[], env: Environment): ServeOptions {
  const { values } = readOptions(serveDeclarations, args, env)
  return {
    port: readPort(values.port as string),
    host: values.host as string,
    storage: values.storage as string,
    storageListen: values['storage-listen'],
    storageReplica: values['storage-replica'],
    token: values.token,
    demo: values.demo === 'on',
    rateLimit: parseChoice('HALYARD_RATE_LIMIT', values['rate-limit'] as string, ['on', 'off']) === 'on',
    cacheBytes: readMebibytes(values.remember as string),
    log: parseChoice('HALYARD_LOG', values.log as string, ['json', 'pretty', 'off']),
    telemetry: values.telemetry === 'on',
    wire: readResponseFormat(values.wire as string, values.timestamps as string),
    dataExportRoleArn: values['data-export-role-arn'],
    dataExport: readDataExportOptions(values, env),
    webhookAllowPrivate: values['webhook-allow-private'] === 'on',
    versionHeaders: readNames(values['version-headers']),
    corsOrigins: readOrigins(values['cors-origins']),
    clientAddress: readProxies(values['trusted-proxies']),
    invitationDays: readDays(values['invitation-days'] as string),
    oidc: readOidcOptions(values),
    oidcClient: readOidcClient(values),
    oauthIssuer: values['oauth-issuer'],
  }
}

/** Reads the response format. The type of times can be chosen only for `specification`; `reference` determines it. */
function readResponseFormat(format: string, times: string): EngineInput['wire'] {
  const timestamps = parseChoice('HALYARD_WIRE_TIMESTAMPS', times, ['string', 'number'])
  return parseChoice('HALYARD_WIRE', format, ['specification', 'reference']) === 'reference'
    ? 'reference'
    : { timestamps }
}

function readPort(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535) throw cliError(`--port must be a number from 0 to 65535, not "${text}"`)
  return port
}

function readDays(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw cliError(`--invitation-days must be a number from 1 to 9999, not "${text}"`)
  return Number(text)
}

function readMebibytes(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw cliError(`--remember must be a whole number of MiB, not "${text}"`)
  return Number(text) * 1024 * 1024
}

function parseChoice<const Choice extends string>(name: string, value: string, choices: readonly Choice[]): Choice {
  const choice = choices.find((candidate) => candidate === value)
  if (choice === undefined) throw cliError(`${name} must be one of ${choices.join(', ')}, not "${value}"`)
  return choice
}

function readOrigins(list: string | undefined): readonly string[] | '*' | undefined {
  if (list === undefined || list.trim() === '') return undefined
  return list.trim() === '*' ? '*' : list.split(',').map((origin) => origin.trim())
}

function readProxies(list: string | undefined): FindClientAddress | undefined {
  if (list === undefined || list.trim() === '') return undefined
  try {
    return clientAddressBehind(list.split(',').map((proxy) => proxy.trim()))
  } catch (error) {
    throw cliError(`--trusted-${(error as Error).message}`, error)
  }
}

function readNames(list: string | undefined): [string, ...string[]] | undefined {
  const names = (list ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const invalid = names.find((name) => !/^[A-Za-z0-9-]+$/.test(name))
  if (invalid !== undefined) throw cliError(`HALYARD_VERSION_HEADERS: "${invalid}" is not a valid header name`)
  return names.length === 0 ? undefined : (names as [string, ...string[]])
}
