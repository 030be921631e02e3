import { createHash } from 'node:crypto';

/**
 * Known answers for the cryptography of embedded wallets, computed with libraries other than those that it is built on.
 * The private scalar of key `name` is SHA-256 of `svc-wallet-vector/<name>` (`vectorKey`).
 */
export const VECTORS = {
  publicKeys: {
    'otp-target': '02bd485b7765d4333a1f2cfb09ff79b8e21ce4b6d4f7b680494fd64e31ec5e6cdd',
    'otp-ephemeral': '0234ff5c4e7eddc5e3c1fd8168fb6fb3c6d1db192c4643778469542d8d03b5f1a7',
    tek: '02a892064d22deb857c69b802b80c2503e6cc608b43ba9cb8ff1e901b2cf7b073a',
    client: '0225576f894a46e948716764e6a63a88b5fd454d27747cad2fadd2c243b297c9d4',
    session: '028c6a5309ca5a12f30f60f085bc2318670aedd6b00d1a2399eec1726a0006d06a',
    'session-ephemeral': '030bd746248c2c7d6ed5caa610cfd38c894ea441d0c2daafd9e17b70e8b2122474',
    'export-client': '03da3883cf15b487bc9a8d7f073a185bb02ee633e532d1bbc6692c0e1a05cd39e4',
    'export-ephemeral': '035247b42b74458220fffc53c125bd1daac339a670f622f837ded1d9911b0b97fb',
    'enclave-quorum': '02db933a2b4a21545c44f653043b6ec376ba28f50b62a4e41a30b3de8d61ba4f20',
    passkey: '03daab7d75f74e6a47ad15a8cd77acdf9258f6af62ef10759f3ec627f66798b71c',
  },
  hpkeOtp: {
    keyScheduleContext:
      '008fc3aeb832490a4b5ab3e42023287db29a1f4bc7c222c0df228727b70a4021122f3f04e9206cd12413503529b47ac6a630b92ec4cf7d234508d0af9771c99e50',
    dh: '3a32600df0cc4b56aa5e14de981a2382e737126095027606fcfbc2d194908a4a',
    sharedSecret: 'a0e4815c84f3cde6b9dadd76256cbee4efbe02f500bdc324e4753abf774f2594',
    key: '3ded4efb2d97e4513da502fa811c82beb73f4d49f4fc2d47790f134e262c6df1',
    baseNonce: 'ba09016ec929aa40d98847b1',
  },
  otpTargetBundle: {
    data: '7b227461726765745075626c6963223a2230346264343835623737363564343333336131663263666230396666373962386532316365346236643466376236383034393466643634653331656335653663646464356163666265316466646236306536383633366365323863336134336430313762613565313733396564663261363962396531633138386161653930303836222c226f7267616e697a6174696f6e4964223a226f72675f3764336639613532316330653462383661316634393363326535373038623664227d',
    dataSignature:
      '3045022100beef2e84e2237e0410307b6f981d2811a20ccd2e037db3d239604c4d5b936aaa02206e6bb2a8299733ff81066396ee9077d93b650302dc6aae6aa0fe705931d9f4e8',
  },
  encryptedOtpBundle: {
    plaintext:
      '{"otp_code":"000000","public_key":"02a892064d22deb857c69b802b80c2503e6cc608b43ba9cb8ff1e901b2cf7b073a"}',
    encappedPublic:
      '0434ff5c4e7eddc5e3c1fd8168fb6fb3c6d1db192c4643778469542d8d03b5f1a79438f04d16d169ecda969763d5d56e047ac4cb3eb2723e62972f28c68a42a9f4',
    ciphertext:
      'c8cf8ad83b16e1a1b91f6ba667e8a8597aee8de50489e569efecaca87656f430bdb1117ed5cf0124f77c0680d51087dee702b0da166fa92b70fa9cd8512b384db32d02226a125eaf18c0eee0adab44a477466632daf48f02f65efe2f9b8e34bd0daf000e439406642e5a06bc7d6a0858ec20d3c29f7b3c',
  },
  verificationToken:
    'eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9.eyJjb250YWN0IjoiYWRhQGV4YW1wbGUuY29tIiwiZXhwIjoiMTc5MDAwMDMwMDAwMCIsImlkIjoiNGUwYjZjMWQtOTNhNy00YzUyLThmMWUtZDJhNWI3YzgwOTE2Iiwib3JnYW5pemF0aW9uX2lkIjoib3JnXzdkM2Y5YTUyMWMwZTRiODZhMWY0OTNjMmU1NzA4YjZkIiwicHVibGljX2tleSI6IjAyYTg5MjA2NGQyMmRlYjg1N2M2OWI4MDJiODBjMjUwM2U2Y2M2MDhiNDNiYTljYjhmZjFlOTAxYjJjZjdiMDczYSIsInZlcmlmaWNhdGlvbl90eXBlIjoiT1RQX1RZUEVfRU1BSUwifQ.KNiizuuD-gqpdj3IgK2wILer4kWCAg04x-2Fp6RA5AxwBCkZVLBE_lEEtH8ntfQ8I2HWnFBlsAMnNAu4uk4rlQ',
  stamp: {
    payloadToSign:
      '{"organizationId":"org_7d3f9a521c0e4b86a1f493c2e5708b6d","parameters":{"targetPublicKey":"04da3883cf15b487bc9a8d7f073a185bb02ee633e532d1bbc6692c0e1a05cd39e4e07c4a4ee56b14f9273ad48a711d1e97187a5aa2a5bf2cab83c695a633e80699","walletId":"wallet_7d3f9a521c0e4b86a1f493c2e5708b6d"},"timestampMs":"1790000000000","type":"ACTIVITY_TYPE_EXPORT_WALLET"}',
    payloadSha256: '42530e9cc6e91902a7bf2c21e55d1b37c8c1e61721d24f146540f131f5487c74',
    der: '3045022100ec6e36d2dc8b6ed2ae6573fcdfd31f971c4691671b0b8f96ac7ec1d0a4d42883022013b111386d1a8e365ec85a5e4dab0aef5fcec7517b16b5f5dce23b5c2baae4af',
    derHighS:
      '3046022100ec6e36d2dc8b6ed2ae6573fcdfd31f971c4691671b0b8f96ac7ec1d0a4d42883022100ec4eeec692e571caa137a5a1b254f5105d18335c2c00e88f16d78f66d0b840a2',
    header:
      'eyJwdWJsaWNLZXkiOiIwMjhjNmE1MzA5Y2E1YTEyZjMwZjYwZjA4NWJjMjMxODY3MGFlZGQ2YjAwZDFhMjM5OWVlYzE3MjZhMDAwNmQwNmEiLCJzY2hlbWUiOiJTSUdOQVRVUkVfU0NIRU1FX1RLX0FQSV9QMjU2Iiwic2lnbmF0dXJlIjoiMzA0NTAyMjEwMGVjNmUzNmQyZGM4YjZlZDJhZTY1NzNmY2RmZDMxZjk3MWM0NjkxNjcxYjBiOGY5NmFjN2VjMWQwYTRkNDI4ODMwMjIwMTNiMTExMzg2ZDFhOGUzNjVlYzg1YTVlNGRhYjBhZWY1ZmNlYzc1MTdiMTZiNWY1ZGNlMjNiNWMyYmFhZTRhZiJ9',
  },
  encryptedSessionSigningKey:
    'xcDz5uuazkh642NdRAKjBvS2bpoceWvrBn29SNFWpmTgPaDeWVPTxJ6ZD58Pshc41A4N7HV92kdYJNZZtykr8opq8D7uFm2YQMduCKH1vuXN4H9xBPB',
  oidcNonce: {
    compressed: '83697d668e220d2420cf105362d96c000d362de17b979172b9412b6c85a25ba1',
    uncompressed: '65cfe473d9b6556bccc84ae543d79ecea30e42d990be6e2cb026d2687fc0a1a6',
  },
  passkeyChallenge: {
    body: '{"organizationId":"org_7d3f9a521c0e4b86a1f493c2e5708b6d","parameters":{"targetPublicKey":"0225576f894a46e948716764e6a63a88b5fd454d27747cad2fadd2c243b297c9d4"},"timestampMs":"1790000000000","type":"ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2"}',
    challenge: '00fb7bd799926428ba2a2b97baa98251ee28db4cd18e08c227e9d12cc40557e0',
    clientDataChallenge:
      'MDBmYjdiZDc5OTkyNjQyOGJhMmEyYjk3YmFhOTgyNTFlZTI4ZGI0Y2QxOGUwOGMyMjdlOWQxMmNjNDA1NTdlMA',
  },
  export: {
    ciphertext:
      '67a558a652c3ac92ce8a7ff046884af2095bebbd74ff6c9bc54f4db397fe0481ecfac43d072d0a4ab0703bf711bdc7fa974277afb19379a00f0648de470124393295711cbbd9291c666dbfc2a0aa7c5a9f2fa6ff4c420c31140050',
    dataSignature:
      '3044022073aa77ce051b3d1b131649fb1b7d9fd489802eb7cd2611c2701f92f62bc9c8a002203a0797ceca71b2bcee5d5f8e67554e3b56b6decf08761a3d09cbf86af1663609',
  },
  webauthn: {
    rpId: 'example.com',
    origin: 'https://wallet.example.com',
    regChallenge: 'IaBlZqay--KpFlmI7-cslw8RCn8d5lIGTRCytGt44E8',
    credentialId: 'Z0nM1EQQlo43tferBzafCg',
    regClientDataJson:
      'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxlbmdlIjoiSWFCbFpxYXktLUtwRmxtSTctY3NsdzhSQ244ZDVsSUdUUkN5dEd0NDRFOCIsIm9yaWdpbiI6Imh0dHBzOi8vd2FsbGV0LmV4YW1wbGUuY29tIiwiY3Jvc3NPcmlnaW4iOmZhbHNlfQ',
    attestationObject:
      'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YViUo3mm9u6vuaVeN4wRgDTidR5oL6ufLTCrE9ISVYbOGUdFAAAAAAAAAAAAAAAAAAAAAAAAAAAAEGdJzNREEJaON7X3qwc2nwqlAQIDJiABIVgg2qt9dfdOaketFajNd6zfklj2r2LvEHWfPsYn9meYtxwiWCDo_aV0ix4WmLtK65hIbNTI8He0_Oz0PugVntvk92zklQ',
    clientDataJson:
      'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiTURCbVlqZGlaRGM1T1RreU5qUXlPR0poTW1FeVlqazNZbUZoT1RneU5URmxaVEk0WkdJMFkyUXhPR1V3T0dNeU1qZGxPV1F4TW1Oak5EQTFOVGRsTUEiLCJvcmlnaW4iOiJodHRwczovL3dhbGxldC5leGFtcGxlLmNvbSIsImNyb3NzT3JpZ2luIjpmYWxzZX0',
    authenticatorData: 'o3mm9u6vuaVeN4wRgDTidR5oL6ufLTCrE9ISVYbOGUcFAAAAAQ',
    signature:
      'MEQCID6BcfXiJef3ZfV79xH9c3GZnod217kcRZCJlgE1gQMTAiAoXfXaT_mFXTqC_Hup6oNYe41DQ-U6PE3Ke1Hudmxj0Q',
  },
  bodyBinding: {
    jcs: '{"accountId":"InternalAccount:7d3f9a52-1c0e-4b86-a1f4-93c2e5708b6d","oidcToken":"a.b.c","type":"OAUTH"}',
    sha256: 'd2296d6544d4777ce5e12f85011ee8881ba41b578fd73a20ab63fb3741b8927c',
  },
} as const;

export function vectorKey(name: keyof typeof VECTORS.publicKeys): Buffer {
  return createHash('sha256').update(`svc-wallet-vector/${name}`).digest();
}

/** The organization of the account whose id the vectors use. */
export const VECTOR_ORGANIZATION = 'org_7d3f9a521c0e4b86a1f493c2e5708b6d';
export const VECTOR_MNEMONIC = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
