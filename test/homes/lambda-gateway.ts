import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { LambdaEvent } from 'hono/aws-lambda'

/** What a function answers a gateway. */
interface LambdaAnswer {
  readonly statusCode: number
  readonly body: string
  readonly isBase64Encoded: boolean
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Stands where a function URL, or API Gateway with events of version 2.0, would: HTTP on one side, events on the other.
 *
 * @param handler what is deployed.
 * @returns a server that is about to listen, at a free port.
 */
export function lambdaGateway(handler: (event: LambdaEvent) => Promise<unknown>): Server {
  return createServer(async (request, response) => {
    const answer = (await handler(await eventOf(request))) as LambdaAnswer
    const body = Buffer.from(answer.body, answer.isBase64Encoded ? 'base64' : 'utf8')
    response.writeHead(answer.statusCode, answer.headers).end(body)
  }).listen(0, '127.0.0.1')
}

/** The members of an event that the documentation of API Gateway promises to every function. */
async function eventOf(request: IncomingMessage): Promise<LambdaEvent> {
  const [rawPath = '', rawQueryString = ''] = (request.url ?? '').split(/\?(.*)/s, 2)
  const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)])
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  const body = Buffer.concat(pieces)
  const event = {
    version: '2.0',
    routeKey: '$default',
    rawPath,
    rawQueryString,
    headers: Object.fromEntries(headers),
    requestContext: {
      domainName: 'flags.lambda-url.eu-central-1.on.aws',
      http: {
        method: request.method ?? 'GET',
        path: rawPath,
        protocol: 'HTTP/1.1',
        sourceIp: '192.0.2.1',
        userAgent: '',
      },
    },
    // Bytes come as Base64: a gateway does not know what is text.
    ...(body.length > 0 ? { body: body.toString('base64') } : {}),
    isBase64Encoded: body.length > 0,
  }
  return event as unknown as LambdaEvent
}
