import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { LambdaEvent } from 'hono/aws-lambda'
import { handler } from '../../docs/examples/homes/lambda/handler.ts'

/** The response of a Lambda function to a gateway. */
interface LambdaResponse {
  readonly statusCode: number
  readonly body: string
  readonly isBase64Encoded: boolean
  readonly headers?: Readonly<Record<string, string | string[]>>
}

/** Replaces a function URL, or API Gateway with events of version 2.0: converts HTTP requests to events. */
const gateway = createServer(async (request, response) => {
  const lambdaResponse: LambdaResponse = await handler(await eventOf(request))
  const body = Buffer.from(lambdaResponse.body, lambdaResponse.isBase64Encoded ? 'base64' : 'utf8')
  response.writeHead(lambdaResponse.statusCode, lambdaResponse.headers).end(body)
})

/** Returns an event with the properties that the documentation of API Gateway promises to every function. */
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
    // Bodies are Base64, because a gateway does not know which of them are text.
    ...(body.length > 0 ? { body: body.toString('base64') } : {}),
    isBase64Encoded: body.length > 0,
  }
  return event as unknown as LambdaEvent
}

gateway.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(gateway.address() as AddressInfo).port}`))
