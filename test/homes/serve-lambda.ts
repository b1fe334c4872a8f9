import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { LambdaEvent } from 'hono/aws-lambda'
import { handler } from '../../docs/examples/homes/lambda/handler.ts'

/** What a function answers a gateway. */
interface LambdaAnswer {
  readonly statusCode: number
  readonly body: string
  readonly isBase64Encoded: boolean
  readonly headers?: Readonly<Record<string, string | string[]>>
}

/** Stands where a function URL, or API Gateway with events of version 2.0, would: HTTP on one side, events on the other. */
const gateway = createServer(async (request, response) => {
  const answer: LambdaAnswer = await handler(await eventOf(request))
  const body = Buffer.from(answer.body, answer.isBase64Encoded ? 'base64' : 'utf8')
  response.writeHead(answer.statusCode, answer.headers).end(body)
})

/** The members of an event that the documentation of API Gateway promises to every function. */
async function eventOf(request: IncomingMessage): Promise<LambdaEvent> {
  const [rawPath = '', rawQueryString = ''] = (request.url ?? '').split(/\?(.*)/s, 2)
  const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)])
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  const body = Buffer.concat(pieces)
  const http = { method: request.method, path: rawPath, protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: '' }
  const event = {
    version: '2.0',
    routeKey: '$default',
    rawPath,
    rawQueryString,
    headers: Object.fromEntries(headers),
    requestContext: { domainName: 'flags.lambda-url.eu-central-1.on.aws', http },
    // Bytes come as Base64: a gateway does not know what is text.
    ...(body.length > 0 ? { body: body.toString('base64') } : {}),
    isBase64Encoded: body.length > 0,
  }
  return event as unknown as LambdaEvent
}

gateway.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(gateway.address() as AddressInfo).port}`))
