import { notInstalled, servedPages } from '@halyard/pages'

const text = async () => {
  throw notInstalled('Install the charts to see this page.')
}
const files = { '/charts': { type: 'text/html; charset=utf-8', text } }
const pages = servedPages({ page: '/charts', images: "'self'", files })
console.log((await pages('GET', '/charts'))?.status) // 501
