import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isPrivateHost } from './private-address.ts'

const hostOf = (host: string) => new URL(`http://${host}/`).hostname

it.each([
  'localhost',
  'LOCALHOST.',
  'a.localhost',
  '127.0.0.1',
  '127.255.255.254',
  '2130706433',
  '0x7f000001',
  '0177.1',
  '0.0.0.0',
  '10.1.2.3',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '[::]',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:10.0.0.1]',
  '[::127.0.0.1]',
  '[64:ff9b::a00:1]',
  '[2002:7f00:1::]',
  '[2001::1]',
  '[2001:db8::1]',
  '[fc00::1]',
  '[fd12:3456::1]',
  '[fe80::1]',
  '[ff02::1]',
  'metadata.google.internal',
  'printer.local',
])('isPrivateHost returns true for %s', (host) => {
  expect(isPrivateHost(hostOf(host))).toBe(true)
})

it.each([
  'example.com',
  'localhost.example.com',
  'notlocalhost',
  '8.8.8.8',
  '11.0.0.1',
  '172.15.0.1',
  '172.32.0.1',
  '192.167.1.1',
  '100.63.0.1',
  '100.128.0.1',
  '223.255.255.255',
  '[2606:4700::1111]',
  '[2a00:1450:4001::200e]',
  '[::ffff:8.8.8.8]',
])('isPrivateHost returns false for %s', (host) => {
  expect(isPrivateHost(hostOf(host))).toBe(false)
})

it('isPrivateHost treats an IPv4-mapped IPv6 address like its IPv4 address', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      expect(isPrivateHost(hostOf(`[::ffff:${address}]`))).toBe(isPrivateHost(hostOf(address)))
    }),
  )
})
