import { clientAddressBehind } from '@halyard/core'

const find = clientAddressBehind(['10.0.0.0/8'])
console.log(find('10.0.0.7', '192.0.2.9, 203.0.113.5, 10.0.0.8')) // 203.0.113.5
console.log(find('198.51.100.1', '203.0.113.5')) // 198.51.100.1
