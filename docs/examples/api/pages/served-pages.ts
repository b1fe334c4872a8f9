import { servedPages } from '@halyard/pages'

const hello = { type: 'text/html; charset=utf-8', text: async () => '<title>Hello</title>' }
const pages = servedPages({ page: '/hello', images: "'self'", files: { '/hello': hello } })
console.log((await pages('GET', '/hello'))?.body) // <title>Hello</title>
console.log(await pages('GET', '/other')) // undefined
