// bun serve-bun.mjs <module>: serves a module's `fetch` and prints its port.
const { default: served } = await import(process.argv[2])
// A suite responds only after its last case.
const idleTimeout = 0
const { port } = Bun.serve({ port: 0, hostname: '127.0.0.1', idleTimeout, fetch: (request) => served.fetch(request) })
console.log(JSON.stringify({ port }))
