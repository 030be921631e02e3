@rem "npm start" begins with exec, which Windows does not have: this stands in for it and says what to do there.
@node bin\corridor.mjs
