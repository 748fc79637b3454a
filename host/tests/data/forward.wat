;; A module that passes each call on to the host capability `kubernetes/<operation>` and answers what it gets.
(module
  (import "wapc" "__guest_request" (func $guest_request (param i32 i32)))
  (import "wapc" "__guest_response" (func $guest_response (param i32 i32)))
  (import "wapc" "__guest_error" (func $guest_error (param i32 i32)))
  (import "wapc" "__host_call" (func $host_call (param i32 i32 i32 i32 i32 i32 i32 i32) (result i32)))
  (import "wapc" "__host_response" (func $host_response (param i32)))
  (import "wapc" "__host_response_len" (func $host_response_len (result i32)))
  (import "wapc" "__host_error" (func $host_error (param i32)))
  (import "wapc" "__host_error_len" (func $host_error_len (result i32)))
  (memory (export "memory") 16)
  (data (i32.const 0) "kubewarden")
  (data (i32.const 16) "kubernetes")
  (func (export "__guest_call") (param $operation_len i32) (param $len i32) (result i32)
    (call $guest_request (i32.const 64) (i32.const 1024))
    (if
      (call $host_call
        (i32.const 0) (i32.const 10)
        (i32.const 16) (i32.const 10)
        (i32.const 64) (local.get $operation_len)
        (i32.const 1024) (local.get $len))
      (then
        (call $host_response (i32.const 1024))
        (call $guest_response (i32.const 1024) (call $host_response_len))
        (return (i32.const 1))))
    (call $host_error (i32.const 1024))
    (call $guest_error (i32.const 1024) (call $host_error_len))
    (i32.const 0)))
