/**
 * Small tar.bz2 archives, valid and malicious, made with Python because Node has no bzip2
 * compressor. The model in them is the word "weights" 3,000 times.
 */
const ARCHIVES = {
  good: 'QlpoOTFBWSZTWWUDa5gAGDB9gNqQEABAA/+AQgD2757ACggwANmgxo0aAZMhoxGmgaYEaSBkAADIAABFJU/QU9GSBiDyINPI2pTPtfh6wFRpALttRE9vSzRvJsBuuIYbEEgGyJOOUvdqegYSa95a+BCsrGQrjjlMGv4AaAsMSjB9oBZ1GSgpAM00iYJNcAhDxGQ9YRZ3s6hqAqKkw00AVFTMBUVMwFRUrgOlNt1VWuoYdftlOjJUUVO0/5uoAqKltGaooqX3ePBQO4u5IpwoSDKBtcwA',
  dotdot:
    'QlpoOTFBWSZTWQE0FPUAF/97gNmAAEBAAf+ABABm55/ACggwAKbBIogmTIxDCMjIGEVUZGTJoyMjAIybUEVUYmAjCMCB6IP/3xUETViSjKkCLLNSkuGOisZOAhgNWlpT5gO4mOjETjBGBBBF1w7SjYVHW8wvoOXAIEPgCoqeL/uwCoqQAVFSACoqbkRxh9km3uv/HeBwVFFTYgAqKkCgiVFFSqasEP4u5IpwoSACaCnq',
  absolute:
    'QlpoOTFBWSZTWUHgpRIAF/5/gNmAAEBAA/8AAAEEAGb33+AKCDAApUJIpom1DQBoPRA9IMgiqgNDQyGBMQD1GnoYAZNNBkMENMRoxld9sCgmwkoUpAjYTIm8YrfSOVAIYBldXPzluMxawisYESlQBBjW9PVh3cfUcZFsojAhiAqKnnCP76AqKloCoqQAVCSMTxhSQnRZCyN2DfCoxGSQkJI0Ef0GSQoqYkeJrVFFTlvjUCGQu5IpwoSCDwUokA==',
  symbolicLink:
    'QlpoOTFBWSZTWQOSaugAAJF/gMmAAARAAveAAAQAFGa3XyAICCAAdBKRqT09SYQaPQTRmp5BJSGgAAAaAPtcHTqBICBqSEP18FhIEzzBpCIQwBi1cXY94DOEKxwIRyUQU9wjWYvSzKDDODgPhoaU4mf+kj9CxYxFmPGGWUqTKeREDkXckU4UJADkmroA',
  hardLink:
    'QlpoOTFBWSZTWa/uTy8AAHJ7gMiAABBAAfcABgAuB97AAAggAFQyp6mgDQNqGjanqCSUZAMgGgGk560CQXOQhDdxrLBz0CGBiUeJP0ZFTCFQjau6WapaWpU7LOk0g0vYMHcYOl+pJA/F3JFOFCQr+5PLwA==',
  twice:
    'QlpoOTFBWSZTWc0VXQ4AF/v7gNmAAIBAAfcABABm557ACggwAKVCKUnpGT1DJo0DRk09QRVRgTAjIwTGpphhgmBMBDRk0wpqTCozgVzrUEldsLC8g518CDcAkAQ5HsvJPSBKydQJibAJQSqJWwkzEwwsHQ0OAFRU+m8AFRUkgAqKkBFRUypmbzU7mhSz8ToQqKKmpbcAqKlCJUUVJ6S8EOhdyRThQkM0VXQ4',
  macos:
    'QlpoOTFBWSZTWdCevJcABlBfgNqQQAP/hAKWi0D+757ACggwARgBgBpo0GmIAAAGQBgBpo0GmIAAAGQAiompp6JqM1NNDI0HqeiNBhPKU8ToWWQC2C4vo9UVqEAlbblO3kOc1DATsmkBgNSAQAZw50JfujvbnIqKKn6Mx0aSgkVlcGGzvSgfKqMGArRJLBySBX2vuuu3TFbpmyy4bgkGc20xI54z8R2jKucyeWd0bByV1zJJg1u9oIupiMrzewHgX7HadAMAFRUyAczmAqKnIBUVOQCoqUkAOOPXyiUZqSkwMANBpNAxAVFSRiP8SOA5s2ICoqVGI61RRUtzFhrBP8XckU4UJDQnryXA',
  large:
    'QlpoOTFBWSZTWVsTfTMBMsffgM2QQgH/AAAAhABmD55ACAggAJIJKnpqnlNAGjT0nqMnigVJIQAAAAH57+6ZckZaSEISFsJEEQkK229rMkvtbOuYSBEJCiqKdK8fPS/YxOdCGkeoCD3RwIYGjKjEcKOx2JxHd5CvNa/bNVq7bRd7TxroPctD4cI3Jb+6SSQIEg/i7kinChILYm+mYA==',
};

/**
 * `good`: a top folder with model.onnx and data/tokens.txt. `dotdot`, `absolute`, `symbolicLink`,
 * `hardLink`: try to write or read outside. `twice`: the same path two times. `macos`: `good` with
 * the `._` files that macOS adds. `large`: 10 MB of zeros.
 */
export function testArchive(name: keyof typeof ARCHIVES): Buffer {
  return Buffer.from(ARCHIVES[name], 'base64');
}
