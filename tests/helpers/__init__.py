"""
What tests share and pytest does not collect. Each module holds one thing:

servers      http_server (answers as it is told), chat_server (a language model), vendor_streams
             (websockets), recogniser_server (a program: a real recogniser)
engine       engine_clips (clips, provider, verifier), engine_process (a program: one worker)
plugin       plugin_suite (a voice agent's test-suite in small, really run)
run files    small_runs (written in a line), report_runs (the ones that reports are tested on),
             report_readers (facts read back out of each format)
values       spoken_values (of every type, at random), hostile_json
vendors      vendor_protocols (the fixture files in tests/vendors)
pages        chromium (a real browser)
"""
