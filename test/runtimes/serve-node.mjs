// node serve-node.mjs <module>: serves a module's `fetch` and prints its port.
import { createServer } from 'node:http'
import { pathToFileURL } from 'node:url'

const { default: served } = await import(pathToFileURL(process.argv[2]).href)
const server = createServer(async ({ url }, response) => {
  const answer = await served.fetch(new Request(`http://127.0.0.1${url}`))
  response.writeHead(answer.status).end(await answer.text())
})
server.requestTimeout = 0
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: server.address().port })))
