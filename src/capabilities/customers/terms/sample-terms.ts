import type { TermsVersion } from '#capabilities/customers/terms/terms.ts';

/** Placeholder terms for development and tests. The operator publishes its own before it serves customers. */
export const SAMPLE_TERMS: readonly TermsVersion[] = [
  {
    version: 'V1',
    title: 'End-user terms',
    publishedOn: '2025-10-13',
    sections: [
      {
        heading: 'About this text',
        paragraphs: [
          'This is sample text that comes with the software. It is not a contract. The operator of this service ' +
            'replaces it with its own terms before real people use it.',
        ],
      },
      {
        heading: 'What the service does',
        paragraphs: [
          'The app you are using asks us to hold balances for you and to move money on your behalf. You tell the app ' +
            'what to do; the app tells us; we do it and report back to the app.',
          'We act on instructions that reach us through the app with its credentials, and on those you sign yourself.',
        ],
      },
      {
        heading: 'What you agree to',
        paragraphs: [
          'The details you give are true and complete, and you keep them up to date.',
          'You use the service for yourself or for the business you are entitled to act for, and for nothing that the ' +
            'law forbids.',
          'We may ask for proof of who you are and where money comes from, and we may refuse or pause a payment while ' +
            'a question is open.',
        ],
      },
      {
        heading: 'Payments, prices and errors',
        paragraphs: [
          'Before a payment is made you see what it costs and what arrives. Once a bank or network has the payment, ' +
            'it may be impossible to cancel.',
          'If a payment fails, its amount returns to the account it came from. Tell the app at once if you see a ' +
            'payment that you did not ask for.',
        ],
      },
      {
        heading: 'Your data',
        paragraphs: [
          'We keep the data that the law requires, for as long as it requires, and the data that your payments need. ' +
            'Identification numbers and documents are stored encrypted.',
          'You can ask the app to delete your account once nothing is left in it.',
        ],
      },
      {
        heading: 'Changes and end',
        paragraphs: [
          'New versions of these terms are published under a new version name; the one you agreed to stays readable.',
          'You may stop using the service at any time.',
        ],
      },
    ],
  },
];
