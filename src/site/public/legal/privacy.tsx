import type { ReactNode } from 'react'
import type { LegalText } from '../LegalPage'

export const privacy = (contact: ReactNode, hasPlans: boolean): LegalText => ({
  title: 'Privacy Policy',
  summary: 'We collect only what a task board needs, use it only for that, and sell none of it.',
  sections: [
    {
      title: 'Introduction',
      body: (
        <p>
          This policy explains what personal information the operator of this service (“wrk”, “we”, “us”) collects, why, and what
          you can do about it. It is based on Canadian privacy law, in particular the Personal Information Protection and
          Electronic Documents Act (PIPEDA) and the provincial laws that apply in its place. By using wrk you agree to what is
          described here.
        </p>
      ),
    },
    {
      title: 'Information we collect',
      body: (
        <ul>
          <li>Contact: your email address{hasPlans && ', and what you write to our support team'}.</li>
          <li>Profile: your username and, if you give them, your name, picture and description.</li>
          <li>Content: boards, tasks, comments, files and time entries that you create or upload, and when you change them.</li>
          <li>Preferences: your notification settings and the theme you chose.</li>
          {hasPlans && (
            <li>
              Payment: if you subscribe, a payment processor collects your card details. We receive only what we need to manage
              the subscription, such as its status and period, never your full card number.
            </li>
          )}
          <li>Logs: the time of requests, what was requested, errors, and your IP address.</li>
          <li>Device data: the kind of browser and device, as your browser reports it to every site.</li>
        </ul>
      ),
    },
    {
      title: 'How we use it',
      body: (
        <>
          <p>We use personal information to:</p>
          <ul>
            <li>run the service: sign you in, show your boards, and show changes to their members live;</li>
            <li>send the notifications that you left switched on, and messages about your account;</li>
            {hasPlans && <li>manage subscriptions and answer support requests;</li>}
            <li>keep the service secure, fix faults and prevent abuse;</li>
            <li>meet our legal obligations.</li>
          </ul>
          <p>We do not use it for advertising.</p>
        </>
      ),
    },
    {
      title: 'How it is shared',
      body: (
        <>
          <p>We do not sell your personal information.</p>
          <p>
            Members of a board see what is on it and who did it. Signed-in users can see your profile: username, name, picture,
            description and, unless you hide it there, email address. Beyond that, we share information only with providers who
            work for us, such as hosting{hasPlans ? ', email delivery and payment' : ' and email delivery'}, each only as far as
            their work requires; where the law obliges us to; and with a successor, if the service changes hands, who remains
            bound by this policy.
          </p>
        </>
      ),
    },
    {
      title: 'Cookies and local storage',
      body: (
        <p>
          Cookies keep you signed in and remember your theme and time zone. A cookie kept for a day recognizes a browser that
          requested an emailed link or failed to sign in. Another, kept for a year, recognizes a browser you have signed in with
          before, so that strangers’ failed attempts cannot lock you out. While you sign in, your browser’s own storage may hold
          an invitation or the page you were going to. It also holds what you have typed and not yet sent. If you stay signed in,
          it keeps the boards and tasks you saw last until you log out, so that they open offline and come first in a search. We
          use no advertising or tracking cookies.
          {hasPlans && ' The payment processor may set cookies of its own where you enter card details, to prevent fraud.'}
        </p>
      ),
    },
    {
      title: 'How it is protected',
      body: (
        <p>
          Passwords are stored only in hashed form, sessions cannot be read back from our database, and every request for a board
          is checked for permission to see it. No system is perfectly secure. If a breach creates a real risk of significant harm,
          we notify you and the authorities as the law requires. Some of our providers may keep data outside your province or
          outside Canada, where the laws of that place apply.
        </p>
      ),
    },
    {
      title: 'How long it is kept',
      body: (
        <p>
          We keep personal information as long as your account exists, and after that only where the law or an open matter
          requires it. A deleted board is kept for 30 days, so that it can be restored and people can download the hours that they
          logged on it; then what is on it is deleted. Deleted tasks are also kept for 30 days. Once your account is deleted, what
          you did on other people’s boards stays there under “Former member”, without your name, picture or email. Your tasks,
          time entries and activity always stay, as the board’s record. Your comments and files stay unless you choose to delete
          them. Copies in backups and logs disappear as old backups and logs are replaced.
        </p>
      ),
    },
    {
      title: 'Your rights',
      body: (
        <>
          <p>
            You have the right to access your personal information, to have it updated or corrected, and to have it deleted. You
            may withdraw your consent at any time, though without some information we cannot offer the service. You can download
            your data and delete your account yourself, under “Sign-in &amp; security” on your profile.
          </p>
          <p>
            Write to {contact}, and we will answer within 30 days. If the answer does not satisfy you, you may turn to the Office
            of the Privacy Commissioner of Canada or the commissioner of your province.
          </p>
        </>
      ),
    },
    {
      title: 'Children',
      body: (
        <p>
          wrk is not meant for children under 16, and we do not knowingly collect their personal information. If you believe that
          a child has given us some, please tell us, and we will delete it.
        </p>
      ),
    },
    {
      title: 'Changes and contact',
      body: (
        <p>
          We may update this policy. The date at the top says when that last happened, and we announce important changes
          beforehand. For questions, requests or complaints about privacy, write to {contact}.
        </p>
      ),
    },
  ],
})
