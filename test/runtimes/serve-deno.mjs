// deno run serve-deno.mjs <module>: serves a module's `fetch` and prints its port.
const { default: served } = await import(`file://${Deno.args[0]}`)
const onListen = ({ port }) => console.log(JSON.stringify({ port }))
Deno.serve({ port: 0, hostname: '127.0.0.1', onListen }, (request) => served.fetch(request))
