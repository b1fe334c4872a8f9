import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Console, createConsole, type HostRequest } from '@halyard/console'
import { createEngine, type Engine, type FindClientAddress } from '@halyard/core'
import type { Send } from '@halyard/core/webhooks'
import type { OAuthServer } from '@halyard/oauth-server'
import type { jwtIdentifier } from '@halyard/oidc'
import { createExpressHealth, createExpressSdk, type ExpressHandler } from '@halyard/transport-express'
import { createWebhookSender } from '@halyard/webhook-sender'
import { cliError, isCliError } from './cli-error.ts'
import type { Terminal } from './command.ts'
import { makeExporters } from './exporters.ts'
import { makeLog } from './log.ts'
import { openStorage } from './open-storage.ts'
import { startTaskRunner, type TaskRunner } from './run-due-tasks.ts'
import type { ServeOptions } from './serve-options.ts'
import { printWelcome, type SignInPath } from './welcome.ts'
import { withoutPassword } from './without-password.ts'

/** Interval at which past days are summarized, ms. */
const maintenanceMs = 60_000

/** Interval of heartbeats on streams to SDKs, ms. */
const heartbeatMs = 15_000

/** Maximum duration of running requests after the process receives a signal to end, ms. */
const maxDrainMs = 4_000

/**
 * Serves the management API until the terminal's signal is aborted, then lets running requests finish.
 *
 * @throws CliError for a port in use, an unreadable directory, or an invalid address.
 */
export async function serve(options: ServeOptions, terminal: Terminal): Promise<void> {
  const identify = await makeIdentify(options)
  const send = createWebhookSender({ allowPrivate: options.webhookAllowPrivate })
  const engine = await openEngine(options, terminal, send)
  let taskRunner: TaskRunner | undefined
  try {
    // Called before `bootstrap`: an invalid option must end the command before the only token of the account is
    // generated.
    const oauth = await makeOAuthServer(engine, options, identify, terminal)
    const bootstrapResult = await engine.bootstrap({ token: options.token })
    if (options.demo) await (await import('./demo/fill-demo.ts')).fillDemo(engine, terminal)
    taskRunner = startTaskRunner(engine)
    const console = makeConsole(engine, options, { identify, oauth })
    const server = createServer(listener(engine, options, console))
    wakeAfterWrites(server, taskRunner)
    endConnectionsWhenDrained(server)
    const address = await listen(server, options)
    // A token that the user provided is known to the user; only a generated one is printed.
    const token = options.token === undefined ? bootstrapResult?.token : undefined
    const people = options.demo ? await demoSignInPaths(engine, console) : []
    printWelcome(terminal.stdout, { address, storage: withoutPassword(options.storage), token, people })
    const maintenanceTimer = setInterval(() => void summarizePastDays(engine), maintenanceMs)
    const heartbeatTimer = setInterval(() => void engine.sdk.beat(), heartbeatMs)
    await aborted(terminal.signal)
    clearInterval(maintenanceTimer)
    clearInterval(heartbeatTimer)
    engine.sdk.endStreams()
    await drain(server)
  } finally {
    await taskRunner?.stop()
    await engine.close()
    send.close()
  }
}

/** @throws CliError naming the option that is invalid. */
async function makeIdentify({ oidc }: ServeOptions): Promise<Identify> {
  if (!oidc) return undefined
  const { jwtIdentifier } = await import('@halyard/oidc')
  try {
    return jwtIdentifier(oidc)
  } catch (error) {
    throw cliError(`--oidc-${(error as Error).message}`, error)
  }
}

/**
 * Makes the authorization server. Its page asks for a token of the person: an access token, or a JSON Web Token.
 *
 * @throws CliError naming the option that is invalid.
 */
async function makeOAuthServer(
  engine: Engine,
  { oauthIssuer: issuer, log }: ServeOptions,
  identify: Identify,
  { stderr }: Terminal,
): Promise<OAuthServer | undefined> {
  if (issuer === undefined) return undefined
  const { oauthServer } = await import('@halyard/oauth-server')
  const report = makeLog(log, stderr, Date.now)
  const identifyToken = tokenIdentifier(identify)
  const onError = (error: unknown) => report({ level: 'error', event: 'oauth-request-failed', error })
  try {
    return oauthServer(engine, { issuer, identifyToken, onError })
  } catch (error) {
    throw cliError(`--oauth-${(error as Error).message}`, error)
  }
}

/** Returns the function that names the person of a JSON Web Token. */
function tokenIdentifier(identify: Identify) {
  return identify && ((token: string) => identify({ headers: { authorization: `Bearer ${token}` } }))
}

/** Runs due tasks after each write, so that webhooks are notified immediately. */
function wakeAfterWrites(server: Server, taskRunner: TaskRunner): void {
  server.on('request', ({ method }, response) => {
    if (method !== 'GET') response.once('finish', taskRunner.wake)
  })
}

/** Summarizes past days, a few at a time. A failed run is repeated at the next interval. */
async function summarizePastDays(engine: Engine): Promise<void> {
  await engine.compact({ deadline: Date.now() + maintenanceMs / 10 }).catch(() => {})
}

async function openEngine(options: ServeOptions, terminal: Terminal, send: Send): Promise<Engine> {
  const storage = await openStorage(options.storage, {
    listen: options.storageListen,
    replica: options.storageReplica,
  })
  try {
    const telemetry = options.telemetry ? (await import('@halyard/opentelemetry')).openTelemetry() : undefined
    const tracedSend = telemetry?.send(send) ?? send
    const engine = createEngine({
      storage: telemetry?.storage(storage) ?? storage,
      intercept: telemetry?.intercept,
      log: makeLog(options.log, terminal.stderr, Date.now),
      wire: options.wire,
      versionHeaders: options.versionHeaders,
      dataExportRoleArn: options.dataExportRoleArn,
      invitationDays: options.invitationDays,
      rateLimit: options.rateLimit ? {} : false,
      cache: { responses: options.cacheBytes / 2, documents: options.cacheBytes / 2 },
      // A guarded release is rolled back within two seconds of the deciding event.
      sdk: { flushMs: 200 },
      exporters: makeExporters(options.dataExport, tracedSend),
      webhooks: { send: tracedSend },
    })
    telemetry?.observe(engine)
    await engine.migrate()
    return engine
  } catch (error) {
    await storage.close()
    throw isCliError(error) ? error : cliError((error as Error).message, error)
  }
}

type Identify = ReturnType<typeof jwtIdentifier> | undefined

/** The parts of the server that find out who sends a request. */
interface Callers {
  readonly identify: Identify
  readonly oauth: OAuthServer | undefined
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void

function makeConsole(
  engine: Engine,
  { versionHeaders, corsOrigins, oidcClient, clientAddress }: ServeOptions,
  { identify, oauth }: Callers,
): Console {
  const cors = corsOrigins && { origins: corsOrigins }
  const versionHeader = versionHeaders?.[0]
  const identifyToken = tokenIdentifier(identify)
  const oidc = oidcClient && identifyToken && { ...oidcClient, identifyToken }
  // The server speaks plain HTTP, also behind a proxy that adds TLS.
  return createConsole(engine, {
    cors,
    identify,
    oauth,
    oidc,
    versionHeader,
    secureCookies: false,
    ...(clientAddress ? { clientAddress: behindProxies(clientAddress) } : {}),
  })
}

/** Returns a link for the owner of the demo account, and one for each further member. */
async function demoSignInPaths(engine: Engine, console: Console): Promise<SignInPath[]> {
  const { items } = await engine.as({ role: 'owner' }).listMembers({ limit: 20 })
  const owners = items.filter(({ role }) => role === 'owner')
  return [...owners, ...items.filter(({ role }) => role !== 'owner')].map(({ _id, email }) => ({
    name: email,
    path: console.createSignInPath({ member: _id }),
  }))
}

/**
 * Returns a function that finds the address of the client of a request. The server receives requests over sockets only.
 */
function behindProxies(find: FindClientAddress): (request: HostRequest) => string | undefined {
  return (request) => {
    if (!('socket' in request)) return undefined
    const forwardedFor = request.headers['x-forwarded-for']
    return find(request.socket.remoteAddress, typeof forwardedFor === 'object' ? forwardedFor.join() : forwardedFor)
  }
}

function listener(engine: Engine, { versionHeaders, clientAddress }: ServeOptions, console: Console): Listener {
  const health = createExpressHealth(engine)
  const sdk = createExpressSdk(engine)
  const docs = apiDocs({ versionHeader: versionHeaders?.[0] })
  return [agentEndpoints(engine, clientAddress), docs, sdk, health].reduce<Listener>(
    (next, handler) => (request, response) =>
      handler(request, response, (error) => (error ? sendInternalError(response) : next(request, response))),
    (request, response) => console.express(request, response),
  )
}

/**
 * Returns a handler of the document of the API and of its page. It imports them at the first request for one, because
 * they need the definitions of all operations.
 */
function apiDocs(pages: { readonly versionHeader: string | undefined }): ExpressPages {
  let loading: Promise<ExpressPages> | undefined
  return (request, response, next) => {
    if (!/^\/api\/v2\/(docs|openapi\.json)(?![\w-])/.test(request.url ?? '')) return next?.()
    loading ??= import('@halyard/openapi').then(({ createExpressApiDocs }) => createExpressApiDocs(pages))
    loading.then((docs) => docs(request, response, next), next)
  }
}

/**
 * Returns a handler of the tools for agents and of the text about the API. It imports them at the first request for
 * one, because they need the definitions of all operations.
 */
function agentEndpoints(engine: Engine, clientAddress: FindClientAddress | undefined): ExpressHandler {
  let loading: Promise<ExpressHandler> | undefined
  return (request, response, next) => {
    const [path] = (request.url ?? '').split('?')
    if (path === '/mcp') {
      loading ??= import('@halyard/mcp').then(({ createExpressMcp }) =>
        createExpressMcp(engine, clientAddress ? { clientAddress: behindProxies(clientAddress) } : {}),
      )
      loading.then((mcp) => mcp(request, response, next), next)
    } else if (path === '/llms.txt' && request.method === 'GET') {
      import('./llms-text.ts').then(({ llmsText }) => {
        response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end(llmsText())
      }, next)
    } else next?.()
  }
}

type ExpressPages = ExpressHandler

/**
 * Ends a request after an error in a handler: with 500, or by closing the connection if headers were sent. No other
 * handler is tried, because it would only respond that the path does not exist.
 */
function sendInternalError(response: ServerResponse): void {
  if (response.headersSent) response.destroy()
  else response.writeHead(500).end()
}

function listen(server: Server, { port, host }: ServeOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, port, host)))
    server.listen(port, host, () => resolve(urlOf(server.address() as AddressInfo)))
  })
}

function listenError(error: NodeJS.ErrnoException, port: number, host: string): Error {
  if (error.code === 'EADDRINUSE')
    return cliError(`port ${port} on ${host} is in use; choose another with --port`, error)
  return cliError(`cannot listen on ${host}:${port}: ${error.code ?? error.message}`, error)
}

function urlOf({ address, family, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** Stops accepting connections, lets running responses finish, and closes the remaining connections after a time. */
function drain(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const closeTimer = setTimeout(() => server.closeAllConnections(), maxDrainMs)
    server.close(() => {
      clearTimeout(closeTimer)
      resolve()
    })
    server.closeIdleConnections()
  })
}

/**
 * Closes connections whose response is complete while the server drains; otherwise they would be kept open for the next
 * request.
 */
function endConnectionsWhenDrained(server: Server): void {
  server.on('request', (_, response) => {
    response.once('finish', () => {
      if (!server.listening) setImmediate(() => server.closeIdleConnections())
    })
  })
}
